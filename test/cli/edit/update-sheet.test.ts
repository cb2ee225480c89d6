import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

interface Summary {
  readonly job: string;
  readonly done: number;
  readonly results: string;
  readonly failed_rows: string | null;
}

const update = ['clients', 'update', '--file'];

/** A sheet that gives every client a note. */
async function writeNotes(name = 'notes.csv'): Promise<readonly string[]> {
  const ids = (await world.clients()).map(({ id }) => id);
  world.writeSheet(
    name,
    ids.map((id, index) => ({ id, notes: `note ${index}` })),
  );
  return ids;
}

describe('an update from a sheet', () => {
  it('changes what differs, skips blank cells and clears with \\N', async () => {
    const [one, other] = await world.clients();
    world.writeSheet('sheet.csv', [
      { id: one?.id, first_name: 'Ana', phone: '', notes: 'new' },
      { id: other?.id, first_name: other?.['first_name'], phone: '\\N', notes: '' },
    ]);
    const ran = await world.salon([...update, 'sheet.csv', '--yes']);
    expect(ran).toMatchObject({ exitCode: 0 });
    const [first, second] = await world.clients();
    expect(first).toMatchObject({ first_name: 'Ana', phone: one?.['phone'], notes: 'new' });
    expect(second).toMatchObject({ first_name: other?.['first_name'], phone: null, notes: other?.['notes'] });
  });

  it('changes nothing the second time', async () => {
    await writeNotes();
    await world.salon([...update, 'notes.csv', '--yes']);
    const ran = await world.salon([...update, 'notes.csv', '--yes', '--json']);
    expect(ran).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('Nothing to change.'),
    });
    const nothing = { job: null, done: 0, failed: 0, so_already: 20, left: 0, results: null };
    expect(JSON.parse(ran.stdout)).toMatchObject(nothing);
    expect(world.jobs()).toHaveLength(1);
  });

  it('can be undone, and the undo too', async () => {
    const before = await world.clients();
    await writeNotes();
    const { job } = await world.read<Summary>([...update, 'notes.csv', '--yes']);
    const changed = await world.clients();
    const { job: undo } = await world.read<Summary>(['jobs', 'undo', job, '--yes']);
    expect(withoutTimes(await world.clients())).toEqual(withoutTimes(before));
    await world.salon(['jobs', 'undo', undo, '--yes']);
    expect(withoutTimes(await world.clients())).toEqual(withoutTimes(changed));
  });

  it('skips rows changed since the plan and lists all three values', async () => {
    const ids = await writeNotes();
    await world.salon([...update, 'notes.csv', '--plan-file', 'plan.json']);
    for (const id of ids.slice(0, 3)) await world.client.clients.update(id, { notes: 'theirs' });
    await world.client.clients.update(ids[3] ?? '', { phone: '+15550001111' });
    const ran = await world.salon(['jobs', 'apply', 'plan.json', '--yes', '--json']);
    expect(ran.exitCode).toBe(3);
    expect(JSON.parse(ran.stdout)).toMatchObject({ done: 17, stale: 3 });
    const [job = ''] = world.jobs();
    const failed = await world.read<readonly object[]>(['jobs', 'results', job, '--failed']);
    expect(failed).toHaveLength(3);
    expect(failed[1]).toMatchObject({
      line: 3,
      id: ids[1],
      result: 'stale',
      planned: { notes: 'note 1' },
      present: { notes: 'theirs' },
    });
    const [, second, , fourth] = await world.clients();
    expect(second).toMatchObject({ notes: 'theirs' });
    expect(fourth).toMatchObject({ notes: 'note 3', phone: '+15550001111' });
  });

  it('exits with 7 if every row has changed since the plan', async () => {
    const ids = await writeNotes();
    await world.salon([...update, 'notes.csv', '--plan-file', 'plan.json']);
    for (const id of ids) await world.client.clients.update(id, { notes: 'theirs' });
    expect(await world.salon(['jobs', 'apply', 'plan.json', '--yes'])).toMatchObject({ exitCode: 7 });
  });

  it('writes failed rows in the format of the sheet, ready to re-run', async () => {
    const ids = await writeNotes();
    await world.client.clients.delete(ids[4] ?? '', { force: true });
    const ran = await world.salon([...update, 'notes.csv', '--yes', '--json']);
    expect(ran.exitCode).toBe(3);
    const { failed_rows } = JSON.parse(ran.stdout) as Summary;
    expect(world.readText(failed_rows ?? '')).toBe(`id,notes\r\n${ids[4]},note 4\r\n`);
    const stale = world.readText(failed_rows ?? '').replace(ids[4] ?? '', ids[5] ?? '');
    world.write('failed.csv', stale);
    expect(await world.salon([...update, 'failed.csv', '--yes'])).toMatchObject({ exitCode: 0 });
    expect((await world.clients())[4]).toMatchObject({ id: ids[5], notes: 'note 4' });
  });

  it('matches by another field and refuses ambiguous rows', async () => {
    const [one, other, third] = await world.clients();
    await world.client.clients.update(one?.id ?? '', { email: 'twice@example.com' });
    await world.client.clients.update(other?.id ?? '', { email: 'twice@example.com' });
    await world.client.clients.update(third?.id ?? '', { email: 'once@example.com' });
    world.write('sheet.csv', 'email;notes\nONCE@example.com;found\ntwice@example.com;nobody\n');
    const ran = await world.salon([...update, 'sheet.csv', '--match', 'email', '--yes']);
    expect(ran.exitCode).toBe(3);
    expect(ran.stderr).toContain('line 3');
    expect((await world.clients()).filter(({ notes }) => notes === 'found').map(({ id }) => id)).toEqual([
      third?.id,
    ]);
  });

  it('refuses a row with lost letters, with a hint on how to save the sheet', async () => {
    const [one, other] = await world.clients();
    await world.client.clients.update(one?.id ?? '', { first_name: 'Jiří' });
    world.writeSheet('sheet.csv', [
      { id: one?.id, first_name: 'Ji?í', notes: 'new' },
      { id: other?.id, first_name: other?.['first_name'], notes: 'new' },
    ]);
    const ran = await world.salon([...update, 'sheet.csv', '--yes']);
    expect(ran.exitCode).toBe(3);
    expect(ran.stderr).toContain('line 2: first_name "Jiří" would become "Ji?í"');
    const [first, second] = await world.clients();
    expect(first).toMatchObject({ first_name: 'Jiří', notes: one?.['notes'] ?? null });
    expect(second).toMatchObject({ notes: 'new' });
  });

  it('changes nothing for an unedited export', async () => {
    await world.salon(['clients', 'list', '-f', 'csv', '--excel', '-o', 'all.csv']);
    const ran = await world.salon([...update, 'all.csv', '--dry-run', '--exit-code']);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('20 unchanged');
  });

  it.each([
    [[], "'=1+1"],
    [['--guarded'], '=1+1'],
    [['--no-guarded'], "'=1+1"],
    [['--sheet-format', 'csv', '--guarded'], '=1+1'],
  ])('handles the guard of an --excel export: %j', async (flags, notes) => {
    const [one] = await world.clients();
    world.write('sheet.csv', `id,notes\n${one?.id},'=1+1\n`);
    await world.salon([...update, 'sheet.csv', '--yes', ...flags]);
    expect((await world.clients())[0]).toMatchObject({ notes });
  });

  it('asks for confirmation and changes nothing without it', async () => {
    await writeNotes();
    const before = await world.clients();
    expect(await world.salon([...update, 'notes.csv'])).toMatchObject({ exitCode: 8, stdout: '' });
    expect(await world.clients()).toEqual(before);
    expect(world.jobs()).toEqual([]);
  });

  it.each([
    [['--max-changes', '19'], 8, '--max-changes is 19'],
    [['--max-changes', '50%'], 8, '--max-changes is 50%'],
    [['--max-changes', 'some'], 2, 'Invalid --max-changes'],
    [['--max-changes', '20'], 0, ''],
  ])('respects the budget: %j', async (flags, exitCode, said) => {
    await writeNotes();
    const ran = await world.salon([...update, 'notes.csv', '--yes', ...flags]);
    expect(ran.exitCode, ran.stderr).toBe(exitCode);
    expect(ran.stderr).toContain(said);
    expect(world.jobs()).toHaveLength(exitCode === 0 ? 1 : 0);
  });
});

it('takes a percentage budget of the whole list', async () => {
  const [client] = await world.clients();
  world.writeSheet('one.csv', [{ id: client?.id, notes: 'new' }]);
  const ran = await world.salon([...update, 'one.csv', '--yes', '--max-changes', '5%']);
  expect(ran.exitCode, ran.stderr).toBe(0);
  expect(
    (await world.salon(['jobs', 'undo', world.jobs()[0] ?? '', '--yes', '--max-changes', '4%'])).exitCode,
  ).toBe(8);
});

describe('an invalid sheet', () => {
  it.each([
    ['an unknown column', 'id,emial\ncli_1,a@b\n', 'Did you mean email?'],
    ['a row of the wrong width', 'id,notes\ncli_1,a,b\n', 'sheet.csv:2'],
    ['the same identifier twice', 'id,notes\ncli_1,a\ncli_1,b\n', 'Line 2 has the same id'],
    ['a value of the wrong kind', 'id,birthday\ncli_1,31.11.2026\n', 'sheet.csv:2:birthday'],
    ['a row without an identifier', 'id,notes\n,a\n', 'sheet.csv:2:id'],
    ['no rows', 'id,notes\n', 'no rows'],
    ['nothing', '', 'empty'],
  ])('%s is a usage error before anything is sent', async (_title, text, said) => {
    world.write('sheet.csv', text);
    const ran = await world.salon([...update, 'sheet.csv', '--yes']);
    expect(ran.exitCode, ran.stderr).toBe(2);
    expect(ran.stderr).toContain(said);
  });

  it.each([
    [['clients', 'update', 'cli_1', '--file', 'x.csv']],
    [['clients', 'update', '--file', 'x.csv', '--set', 'notes=x']],
    [['clients', 'update', 'cli_1', '--match', 'email', '--set', 'notes=x']],
    [['clients', 'update', 'cli_1', '--sheet-format', 'csv', '--set', 'notes=x']],
    [['clients', 'update', '--file', 'sheet.csv', '--sheet-format', 'xlsx']],
    [['clients', 'update', '--file', 'sheet.csv', '--sheet-format', 'ndjson']],
    [['clients', 'update', '--file', 'sheet.ndjson', '--no-guarded']],
    [['clients', 'update']],
    [['clients', 'delete']],
  ])('%j is a usage error', async (argv) => {
    world.write('sheet.csv', 'id,notes\ncli_1,a\n');
    world.write('sheet.ndjson', '{"id":"cli_1","notes":"a"}\n');
    expect(await world.salon(argv)).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

function withoutTimes(clients: readonly object[]): readonly object[] {
  return clients.map((client) => ({ ...client, updated_at: null }));
}
