import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const update = ['clients', 'update', '--file', 'sheet.csv'];
const warning = 'records have changed since the file was exported and will be overwritten: line';

/** An export in which every client gets a note. */
function writeExport(clients: readonly Client[]): void {
  world.writeSheet(
    'sheet.csv',
    clients.map(({ id, updated_at }) => ({ id, updated_at, notes: `note of ${id}` })),
  );
}

async function changeAll(clients: readonly Client[]): Promise<void> {
  for (const { id } of clients) await world.client.clients.update(id, { notes: 'theirs' });
}

describe('a sheet exported before clients changed', () => {
  it('lists the lines that overwrite changes, and is applied', async () => {
    const clients = await world.clients();
    writeExport(clients);
    await changeAll([clients[1], clients[4]].filter((one) => one !== undefined));
    const ran = await world.salon([...update, '--yes']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(`2 ${warning} 3, 6\n`);
    expect((await world.clients())[1]).toMatchObject({ notes: `note of ${clients[1]?.id}` });
  });

  it('lists at most ten lines', async () => {
    const clients = await world.clients();
    writeExport(clients);
    await changeAll(clients);
    const ran = await world.salon([...update, '--dry-run']);
    expect(ran.stderr).toContain(`20 ${warning} 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …\n`);
  });

  it.each<[string, (clients: readonly Client[]) => Promise<void>]>([
    ['nothing has changed', async () => {}],
    [
      'the cells are blank',
      async (clients) => {
        await changeAll(clients);
        writeExport(clients.map((client) => ({ ...client, updated_at: '' })));
      },
    ],
    [
      'they are written in another way',
      async (clients) => {
        writeExport(clients.map((client) => ({ ...client, updated_at: toOtherZone(client) })));
      },
    ],
    [
      'no field would change',
      async (clients) => {
        for (const { id } of clients) await world.client.clients.update(id, { notes: `note of ${id}` });
      },
    ],
  ])('shows no warning if %s', async (_title, prepare) => {
    const clients = await world.clients();
    writeExport(clients);
    await prepare(clients);
    const ran = await world.salon([...update, '--dry-run']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).not.toContain('overwrite');
  });
});

function toOtherZone({ updated_at }: Client): string {
  const hourLater = new Date(Date.parse(String(updated_at)) + 3_600_000);
  return hourLater.toISOString().replace('Z', '+01:00');
}
