import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CreatedWebhook, Webhook } from '../../../src/contract/webhook.ts';
import { createMachine, type Machine, type RunOptions } from '../../support/io.ts';
import { openTestService, type TestService } from '../../support/service.ts';

const address = 'http://127.0.0.1:9/hook';
const terminal = { columns: 120, env: { NO_COLOR: '1' } };

let service: TestService;
let machine: Machine;

beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.manager };
  machine = createMachine({ env, timeZone: 'Europe/Berlin' });
});
afterEach(async () => {
  for (const { id } of await list()) await salon(`delete ${id} --yes`);
  machine[Symbol.dispose]();
});

function salon(line: string, world: RunOptions = {}) {
  return machine.salon(['webhooks', ...line.split(' ')], world);
}

async function list(): Promise<Webhook[]> {
  return JSON.parse((await salon('list --json')).stdout);
}

async function create(flags = ''): Promise<CreatedWebhook> {
  return JSON.parse((await salon(`create ${address} --json ${flags}`.trim())).stdout);
}

describe('salon webhooks create', () => {
  it('subscribes to all events by default', async () => {
    await create();
    await create('--events booking.*,payment.completed --description Till');
    expect(await list()).toMatchObject([
      { url: address, events: ['*'], description: null, active: true, disabled_reason: null },
      { url: address, events: ['booking.*', 'payment.completed'], description: 'Till' },
    ]);
  });

  it('shows the secret once, in every format', async () => {
    const { secret } = await create();
    expect(secret).toMatch(/^whsec_\S+$/);
    for (const [format, world] of [
      ['', terminal],
      ['', {}],
      ['-f csv --debug', {}],
      ['-f ndjson', {}],
    ] as const) {
      const { stdout, stderr } = await salon(`create ${address} ${format}`.trim(), world);
      expect(stdout.match(/whsec_/g)).toHaveLength(1);
      expect(stderr).toMatch(/^Created webhook whk_\S+\. The secret is shown only once: save it now\.$/m);
      expect(stderr).not.toContain('whsec_');
    }
    expect((await salon('list --json')).stdout).not.toContain('whsec_');
  });

  it('saves the secret to --secret-file without showing it', async () => {
    const ran = await salon(`create ${address} --secret-file secret --json --debug`);
    expect(ran.exitCode).toBe(0);
    expect(readFileSync(join(machine.home, 'secret'), 'utf8')).toMatch(/^whsec_\S+\n$/);
    expect(JSON.parse(ran.stdout)).not.toHaveProperty('secret');
    expect(ran.stdout + ran.stderr).not.toContain('whsec_');
    expect(ran.stderr).toMatch(/The secret is in secret\.$/m);
  });

  it('creates nothing if the secret cannot be saved', async () => {
    writeFileSync(join(machine.home, 'secret'), 'precious');
    const ran = await salon(`create ${address} --secret-file secret`);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(readFileSync(join(machine.home, 'secret'), 'utf8')).toBe('precious');
    expect(await list()).toEqual([]);
  });

  it.each([
    ['-c id,url', 2, 0],
    ['-c id,secret', 0, 1],
    ['-c +events', 0, 1],
  ])('creates no secret that %s would hide', async (flags, exitCode, made) => {
    const ran = await salon(`create ${address} ${flags}`);
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stdout.match(/whsec_/g) ?? []).toHaveLength(made);
    expect(await list()).toHaveLength(made);
  });

  it('leaves no file if the service refuses', async () => {
    const ran = await salon('create http://192.168.0.1/hook --secret-file secret');
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toMatch(/^error: url /m);
    expect(readdirSync(machine.home)).not.toContain('secret');
  });

  it('refuses an unknown event type with a suggestion', async () => {
    const ran = await salon(`create ${address} --events booking.canceled`);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('Unknown event type "booking.canceled". Did you mean booking.cancelled?');
    expect(await list()).toEqual([]);
  });

  it('leaves any event type given with --set to the server, which a dry run asks', async () => {
    const line = `create ${address} --set events:=["stock.low"]`;
    expect(await salon(`${line} --dry-run`)).toMatchObject({ exitCode: 1, stdout: '' });
    expect(await salon(line)).toMatchObject({ exitCode: 1, stdout: '' });
    expect(await list()).toEqual([]);
  });
});

describe('salon webhooks update', () => {
  it('changes only the given fields', async () => {
    const { id } = await create('--description Till');
    expect(await salon(`update ${id} --events client.* --inactive -q`)).toMatchObject({ exitCode: 0 });
    expect(await list()).toMatchObject([
      { id, url: address, events: ['client.*'], active: false, description: 'Till' },
    ]);
    await salon(`update ${id} --active --url http://127.0.0.1:9/other`);
    expect(await list()).toMatchObject([
      { events: ['client.*'], active: true, url: 'http://127.0.0.1:9/other' },
    ]);
  });

  it('previews the change with --dry-run', async () => {
    const { id } = await create();
    const ran = await salon(`update ${id} --inactive --description Till --dry-run --exit-code -f csv`);
    expect(ran).toMatchObject({
      exitCode: 9,
      stdout: 'field,old,new\r\ndescription,,Till\r\nactive,true,false\r\n'.replaceAll('\r', ''),
    });
    expect(await list()).toMatchObject([{ active: true, description: null }]);
  });

  it.each(['', ' --active --inactive'])('is not right with%j', async (flags) => {
    const { id } = await create();
    expect(await salon(`update ${id}${flags}`)).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('salon webhooks delete', () => {
  it('asks first', async () => {
    const { id } = await create();
    const ran = await salon(`delete ${id}`);
    expect(ran).toMatchObject({ exitCode: 8, stdout: '' });
    expect(ran.stderr).toContain(`Delete the webhook to ${address} (${id}) and its pending deliveries?`);
    expect(await list()).toHaveLength(1);
  });

  it('deletes, and ignores a missing webhook with --ignore-missing', async () => {
    const { id } = await create();
    expect(await salon(`delete ${id} --yes`)).toMatchObject({ exitCode: 0 });
    expect(await salon(`delete ${id} --yes`)).toMatchObject({ exitCode: 6 });
    const again = await salon(`delete ${id} --yes --ignore-missing --json`);
    expect({ ...again, stdout: JSON.parse(again.stdout) }).toMatchObject({
      exitCode: 0,
      stdout: { id, deleted: false },
      stderr: `No webhook with ID ${id}.\n`,
    });
  });

  it('deletes nothing with --dry-run', async () => {
    const { id } = await create();
    expect(await salon(`delete ${id} --dry-run`)).toMatchObject({ exitCode: 0 });
    expect(await list()).toHaveLength(1);
  });
});

describe('salon webhooks rotate', () => {
  it('shows the new secret and how long the old one stays valid', async () => {
    const { id, secret } = await create();
    const ran = await salon(`rotate ${id}`, terminal);
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toMatch(/^Secret +whsec_\S+$/m);
    expect(ran.stdout).not.toContain(secret);
    expect(ran.stdout).toMatch(/^Former secret until +\d{4}-\d\d-\d\d \d\d:\d\d \(Europe\/Berlin\)$/m);
    expect(ran.stderr).toMatch(
      /the old one stays valid until .* \(Europe\/Berlin\)\. The secret is shown only once/,
    );
  });

  it('saves it to --secret-file', async () => {
    const { id, secret } = await create();
    const ran = await salon(`rotate ${id} --secret-file secret --json --debug`);
    expect(ran.stdout + ran.stderr).not.toContain('whsec_');
    const kept = readFileSync(join(machine.home, 'secret'), 'utf8').trim();
    expect(kept).toMatch(/^whsec_/);
    expect(kept).not.toBe(secret);
  });

  it('leaves no file for an unknown webhook or with --dry-run', async () => {
    const { id } = await create();
    expect(await salon(`rotate whk_none --secret-file secret`)).toMatchObject({ exitCode: 6 });
    const dry = await salon(`rotate ${id} --secret-file secret --dry-run`);
    expect(dry).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/^Would rotate the secret of .*\nDry run: the server would accept this/),
    });
    expect(readdirSync(machine.home)).not.toContain('secret');
  });
});

describe('salon webhooks list', () => {
  it('shows URL and state in 80 columns', async () => {
    const long = `http://127.0.0.1:9/${'hook'.repeat(20)}`;
    const { id } = await create(`--set url=${long} --set active:=false`);
    const { stdout } = await salon('list', { columns: 80, env: { NO_COLOR: '1' } });
    expect(stdout).toMatch(new RegExp(`^${id}  http://127\\.0\\.0\\.1:9/(?:hook)+\\w*….* no`, 'm'));
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it.each(['list', 'create http://127.0.0.1:9/x', 'deliveries whk_1'])(
    'is for those who may: a receptionist is refused %s',
    async (line) => {
      const ran = await salon(line, { env: { SALON_API_KEY: service.keys.receptionist } });
      expect(ran).toMatchObject({ exitCode: 10, stdout: '' });
    },
  );
});
