import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';
import { json, openMisbehavingServer, problem } from '../../support/misbehaving-server.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 2 });
});
afterEach(() => world[Symbol.asyncDispose]());

const dryRun = ['clients', 'update', '--file', 'sheet.csv', '--dry-run'];

describe('a dry run with a refused row', () => {
  beforeEach(async () => {
    const [one] = await world.clients();
    world.write('sheet.csv', `id,notes\n${one?.id},new\ncli_9,new\n`);
  });

  it('lists the row with its reason', async () => {
    const [change, refused] = await world.read<readonly object[]>(dryRun);
    expect(change).toMatchObject({ line: 2, act: 'update', field: 'notes', new: 'new', reason: null });
    expect(refused).toEqual({
      line: 3,
      act: 'refused',
      id: 'cli_9',
      name: null,
      field: null,
      old: null,
      new: null,
      reason: 'No client with ID cli_9.',
    });
  });

  it('exits with 3 like the real run, and with 9 for --exit-code', async () => {
    world.write('sheet.csv', 'id,notes\ncli_9,new\n');
    expect(await world.salon(dryRun)).toMatchObject({ exitCode: 3 });
    expect(await world.salon([...dryRun, '--exit-code'])).toMatchObject({ exitCode: 9 });
  });
});

it('a single change is counted in the singular', async () => {
  const [one] = await world.clients();
  world.write('sheet.csv', `id,notes\n${one?.id},new\n`);
  const ran = await world.salon([...dryRun, '--output', 'changes.csv']);
  expect(ran.stderr).toContain('1 change written to');
});

it('failed.csv runs no formula in a spreadsheet program, and is read back exactly', async () => {
  const [one] = await world.clients();
  const cells = ['=HYPERLINK("http://x")', "'=1+1", '+447700900123', '@cmd', '-2+3', "''=2", 'Ana'];
  const rows = cells.map((cell, index) => `cli_9${index},"${cell.replaceAll('"', '""')}"\n`).join('');
  world.write('sheet.csv', `id,notes\n${rows}${one?.id},other\n`);
  const ran = await world.salon(['clients', 'update', '--file', 'sheet.csv', '--yes', '--json']);
  expect(ran).toMatchObject({ exitCode: 3 });
  const failed = world.readText(JSON.parse(ran.stdout).failed_rows);
  expect(failed).not.toMatch(/(^|,)"?[=+@-]/m);
  for (const cell of cells) {
    const fixed = failed
      .split('\r\n')
      .filter((_line, index) => index === 0 || index === 1 + cells.indexOf(cell))
      .join('\r\n');
    world.write('fixed.csv', `${fixed.replace(/cli_9\d/, String(one?.id))}\r\n`);
    const again = await world.salon(['clients', 'update', '--file', 'fixed.csv', '--yes']);
    expect(again, cell).toMatchObject({ exitCode: 0 });
    expect((await world.clients())[0]?.['notes']).toBe(cell);
  }
});

it('results.csv runs no formula that a server answers with', async () => {
  const detail = '=HYPERLINK("http://x")';
  await using server = await openMisbehavingServer(({ method, path }) => {
    if (method !== 'GET') return problem(422, 'validation_failed', { detail });
    const client = { id: '7', first_name: 'Ana', notes: 'old' };
    return path.endsWith('/7') ? json(client) : json([client]);
  });
  const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', SALON_DIALECT_PAGING: 'none' };
  world.write('sheet.csv', 'id,notes\n7,new\n');
  const ran = await world.salon(['clients', 'update', '--file', 'sheet.csv', '--yes', '--json'], { env });
  const results = world.readText(JSON.parse(ran.stdout).results);
  expect(results).toContain(`"'=HYPERLINK(""http://x"")"`);
  expect(results.split('\r\n')).toHaveLength(3);
});
