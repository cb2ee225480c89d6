import { existsSync, mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPeopleSalon } from '../../support/people-salon.ts';

let salon: Awaited<ReturnType<typeof openPeopleSalon>>;

beforeAll(async () => {
  salon = await openPeopleSalon();
  await salon.book('ana');
});
afterAll(() => salon[Symbol.asyncDispose]());

/** Lists the appointments of whom a reference means. */
const list = (flag: '--client' | '--stylist', reference: string) =>
  salon.salon(['appointments', 'list', flag, reference, '-c', 'service']);

describe('a reference to a client', () => {
  it.each(['Ana Costa', 'ana  costa', 'ANA@COSTA.EXAMPLE', '+351 912 345 678', '912345678', 'Costa'])(
    'is found by %j with one more request',
    async (reference) => {
      const ran = await list('--client', reference);
      expect(ran).toMatchObject({ exitCode: 0, stdout: 'service\nBalayage\n' });
      expect(ran.requests).toEqual(['GET clients', 'GET appointments']);
    },
  );

  it('is an ID without a lookup', async () => {
    const ran = await list('--client', salon.ids.ana);
    expect(ran).toMatchObject({ exitCode: 0, stdout: 'service\nBalayage\n' });
    expect(ran.requests).toEqual(['GET appointments']);
  });

  it('that several match lists them with what tells them apart', async () => {
    const ran = await list('--client', 'Bob Twin');
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('2 clients match "Bob Twin".');
    expect(ran.stderr).toContain(`Bob Twin, +351910000001, no visits yet, ${salon.ids.bob}`);
  });

  it('that matches nobody exits 6 and names the nearest', async () => {
    const ran = await list('--client', 'Ana Costta');
    expect(ran).toMatchObject({ exitCode: 6, stdout: '' });
    expect(ran.stderr).toContain('No client matches "Ana Costta".');
    expect(ran.stderr).toContain('Did you mean Ana Costa?');
  });

  it('means a whole name rather than part of another', async () => {
    await salon.client.clients.create({ first_name: 'Rui', last_name: 'Lima' });
    await salon.client.clients.create({ first_name: 'Rui', last_name: 'Lima Pinto' });
    expect(await list('--client', 'Rui Lima')).toMatchObject({ exitCode: 0 });
    expect(await list('--client', 'Rui')).toMatchObject({ exitCode: 2 });
  });

  it.each(['', ' ', '.', '..', 'a/b', 'a?b', 'a#b', '100%', 'cli_01jd…', 'apt_01m7yzmhg02gxyv4e56f0gta0b'])(
    'is refused before anything is sent: %j',
    async (reference) => {
      expect(await list('--client', reference)).toMatchObject({ exitCode: 2, stdout: '', requests: [] });
    },
  );

  it('is not taken for an ID where clients may not be read', async () => {
    const env = { SALON_API_KEY: await salon.addKey(['appointments:read']) };
    const ran = await salon.salon(['appointments', 'list', '--client', 'Ana'], { env });
    expect(ran).toMatchObject({ exitCode: 10, stdout: '' });
    const byId = await salon.salon(['appointments', 'list', '--client', salon.ids.ana, '-c', 'service'], {
      env,
    });
    expect(byId).toMatchObject({ exitCode: 0, stdout: 'service\nBalayage\n' });
  });

  it('is listed instead of chosen with --no-input', async () => {
    const ran = await salon.salon(['clients', 'get', 'ana', '--no-input', '--json'], { columns: 80 });
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(JSON.parse(ran.stderr)).toMatchObject({
      code: 'usage',
      candidates: [
        { id: salon.ids.ana, name: 'Ana Costa', email: 'ana@costa.example' },
        { name: 'Ana María Núñez' },
      ],
    });
  });

  it('is chosen from a list at a terminal', async () => {
    const ran = await salon.salon(['appointments', 'list', '--client', 'ana', '--plain', '--no-pager'], {
      columns: 80,
      stdin: '1\n',
    });
    expect(ran.exitCode).toBe(0);
    expect(ran.stderr).toContain('1: Ana Costa, +351912345678, ana@costa.example, no visits yet');
    expect(ran.stdout).toContain('Balayage');
  });
});

describe('a list for an ID that nobody has', () => {
  it.each([
    ['--client', 'cli_01jd00000000000000000000zz'],
    ['--stylist', 'sty_01jd00000000000000000000zz'],
    ['--client', 'cli_nobody'],
  ] as const)('exits 6 with %s %s', async (flag, id) => {
    const ran = await list(flag, id);
    expect(ran).toMatchObject({ exitCode: 6, stdout: '' });
    expect(ran.stderr).toContain(id);
  });

  it.each([
    ['audit --client', 'cli_01jd00000000000000000000zz'],
    ['audit --record', 'apt_01jd00000000000000000000zz'],
    ['payments list --appointment', 'apt_01jd00000000000000000000zz'],
    ['payments list --client', 'cli_01jd00000000000000000000zz'],
    ['free --stylist', 'sty_01jd00000000000000000000zz'],
  ])('exits 6 without writing a file with %s %s', async (line, id) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'salon-test-'));
    const path = join(folder.path, 'unknown.csv');
    const ran = await salon.salon([...line.split(' '), id, '-o', path]);
    expect(ran).toMatchObject({ exitCode: 6, stdout: '', stderr: expect.stringContaining(id) });
    expect(existsSync(path)).toBe(false);
  });

  it('is empty for somebody without appointments', async () => {
    expect(await list('--client', salon.ids.joao)).toMatchObject({ exitCode: 0, stdout: 'service\n' });
  });
});

describe('a reference to a stylist', () => {
  it.each(['Quinn Sato', 'quinn', 'Quinn S.'])('is found by %j with one more request', async (reference) => {
    const ran = await list('--stylist', reference);
    expect(ran).toMatchObject({ exitCode: 0, stdout: 'service\nBalayage\n' });
    expect(ran.requests).toEqual(['GET stylists', 'GET appointments']);
  });

  it('does not mean a client', async () => {
    const ran = await list('--stylist', 'Ana Costa');
    expect(ran).toMatchObject({ exitCode: 6, stdout: '' });
    expect(ran.stderr).toContain('No stylist matches "Ana Costa".');
  });
});
