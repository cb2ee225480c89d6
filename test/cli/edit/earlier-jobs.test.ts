import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

describe('a saved plan applied twice', () => {
  it('does not create records again', async () => {
    world.write('new.csv', 'first_name\nAna\nBea\n');
    await world.salon(['clients', 'create', '--file', 'new.csv', '--plan-file', 'plan.json']);
    expect(await world.salon(['jobs', 'apply', 'plan.json', '--yes'])).toMatchObject({ exitCode: 0 });
    const again = await world.salon(['jobs', 'apply', 'plan.json', '--yes']);
    expect(again).toMatchObject({ exitCode: 8, stdout: '' });
    expect(again.stderr).toContain(`new.csv was already added by job ${world.jobs()[0]}`);
    expect(await world.clients()).toHaveLength(22);
  });

  it('reports no changes the second time, so its undo restores nothing', async () => {
    const [client] = await world.clients();
    world.writeSheet('notes.csv', [{ id: client?.id, notes: 'planned' }]);
    await world.salon(['clients', 'update', '--file', 'notes.csv', '--plan-file', 'plan.json']);
    await world.salon(['jobs', 'apply', 'plan.json', '--yes']);
    const again = await world.read(['jobs', 'apply', 'plan.json', '--yes']);
    expect(again).toMatchObject({ done: 0, unchanged: 1 });
  });
});

it('names the flag that writes a plan if the plan does not exist', async () => {
  const ran = await world.salon(['jobs', 'apply', 'nowhere.json', '--yes']);
  expect(ran).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Use a file written by --plan-file'),
  });
});

describe('an undone edit', () => {
  it('cannot be resumed', async () => {
    const ids = (await world.clients()).map(({ id }) => id);
    world.writeSheet(
      'notes.csv',
      ids.map((id) => ({ id, notes: 'planned' })),
    );
    await world.client.clients.delete(ids[2] ?? '', { force: true });
    await world.salon(['clients', 'update', '--file', 'notes.csv', '--plan-file', 'plan.json']);
    await world.client.clients.delete(ids[3] ?? '', { force: true });
    await world.salon(['jobs', 'apply', 'plan.json', '--yes', '--max-errors', '1', '--concurrency', '1']);
    const [job = ''] = world.jobs();
    await world.salon(['jobs', 'undo', job, '--yes']);
    const resumed = await world.salon(['jobs', 'resume', job]);
    expect(resumed.exitCode).toBe(7);
    expect(resumed.stderr).toContain('was undone by job');
    expect((await world.clients()).some(({ notes }) => notes === 'planned')).toBe(false);
  });
});

describe('simulated failures', () => {
  it('are a usage error without --simulate', async () => {
    const [client] = await world.clients();
    world.writeSheet('notes.csv', [{ id: client?.id, notes: 'planned' }]);
    const ran = await world.salon(['clients', 'update', '--file', 'notes.csv', '--faults', '429', '--yes']);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect((await world.clients())[0]).toEqual(client);
  });
});
