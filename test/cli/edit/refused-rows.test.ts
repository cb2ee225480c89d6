import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

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
