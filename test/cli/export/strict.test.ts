import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { json, openMisbehavingServer, type Received, type Reply } from '../../support/misbehaving-server.ts';

const rows = Array.from({ length: 30 }, (_, index) => ({ id: `c${index}`, name: `Client ${index}` }));

async function run(line: string, reply: (request: Received) => Reply, paging = 'none') {
  using machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
  await using server = await openMisbehavingServer(reply);
  const env = {
    SALON_BASE_URL: server.origin,
    SALON_API_KEY: 'k',
    SALON_DIALECT_PAGING: paging,
    NO_COLOR: '1',
  };
  const ran = await machine.salon(line.split(' '), { env });
  const read = (name: string) => {
    const path = join(machine.home, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  };
  return {
    ...ran,
    file: read('out.csv'),
    partial: read('out.csv.partial'),
    manifest: read('out.csv.manifest.json'),
  };
}

const whole = () => json({ data: rows, page: 1, per_page: 200, total: rows.length });
const bare = () => json(rows);

describe('--strict', () => {
  it('accepts a list that is proven to be whole', async () => {
    const ran = await run('clients list --strict -o out.csv', whole);
    expect(ran).toMatchObject({ exitCode: 0, partial: undefined });
    expect(ran.file).toContain('c29');
  });

  it('fails with exit code 3 for a list that nothing proves to be whole, and keeps it as partial', async () => {
    const ran = await run('clients list --strict -o out.csv', bare);
    expect(ran).toMatchObject({ exitCode: 3, file: undefined });
    expect(ran.stderr).toContain('error: Nothing proves that these are all clients (--strict).');
    expect(ran.partial).toContain('c29');
  });

  it.each([
    ['--email a@x.test', 'match email'],
    ['--sort last_visit', 'match sort=last_visit'],
  ])('fails with exit code 3 for %s where nobody can check it', async (flag, what) => {
    const ran = await run(`clients list --strict ${flag} --json`, whole);
    expect(ran.exitCode).toBe(3);
    expect(ran.stderr).toContain(what);
  });
});

describe('without --strict', () => {
  it('a list that nothing proves to be whole says so', async () => {
    const ran = await run('clients list --json', bare);
    expect(ran.exitCode).toBe(0);
    expect(JSON.parse(ran.stdout)).toHaveLength(30);
    expect(ran.stderr).toContain('no total from the server: not proven');
  });

  it('a filter that nobody can check is a warning, and in the manifest', async () => {
    const ran = await run('clients list --email a@x.test -o out.csv --manifest', whole);
    expect(ran.exitCode).toBe(0);
    expect(ran.stderr).toMatch(/^warning: The server ignored the filter email, and the rows do not show/m);
    expect(JSON.parse(ran.manifest ?? '')).toMatchObject({ verdict: 'exact', unverified: ['email'] });
  });
});

describe('a list that is cut without a way to go on', () => {
  it.each([
    ['on standard output', 'clients list --json', 1],
    ['while searching a record', 'clients get c77', 1],
    ['in a file', 'clients list -o out.csv', 1],
  ])('fails %s', async (_where, line, exitCode) => {
    const cut = ({ path }: Received) =>
      /clients$/.test(path) ? json({ data: rows, has_more: true }) : json({}, { status: 404 });
    const ran = await run(line, cut);
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stderr).toContain('The server says that there are more clients (has_more)');
    expect(ran).toMatchObject({ stdout: '', file: undefined, partial: undefined });
  });

  it('fails while a record is searched in fewer rows than the server counts', async () => {
    const cut = ({ path, query }: Received) => {
      if (!/clients$/.test(path)) return json({}, { status: 404 });
      return json({ data: query.has('page') ? [] : rows, page: Number(query.get('page') ?? 1), total: 80 });
    };
    const ran = await run('clients get c77', cut, 'page');
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('The server reports 80 clients, but sent only 30.');
  });
});
