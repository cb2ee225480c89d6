import { expect } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';
import { isQuick } from '../../support/speed.ts';
import { createVariedClients, toRecord, toShorter, type VariedClient } from '../../support/varied-clients.ts';

/** Checks that a list adds all its clients, is the same again, is completed by a second one, and that both are undone. */
export async function bringThere(
  name: string,
  render: (clients: readonly VariedClient[]) => string | Buffer,
): Promise<void> {
  await using world = await openEditWorld({ clients: 0 });
  const clients = createVariedClients(isQuick ? 60 : 2_000);
  const shorter = clients.map(toShorter);
  const importList = async (list: readonly VariedClient[]) => {
    world.write(name, render(list));
    const ran = await world.salon(['clients', 'import', name, '--yes', '--json']);
    return { ...ran, record: JSON.parse(ran.stdout || '{}') };
  };
  const first = await importList(shorter);
  expect(first, first.stderr).toMatchObject({ exitCode: 0, record: { done: clients.length } });
  expect(await readSalon(world, clients)).toEqual(shorter.map(toRecord));
  const again = await importList(shorter);
  expect(again, again.stderr).toMatchObject({
    exitCode: 0,
    record: { so_already: clients.length, done: 0 },
  });
  const second = await importList(clients);
  expect(second, second.stderr).toMatchObject({ exitCode: 0 });
  expect(await readSalon(world, clients)).toEqual(clients.map(toRecord));
  await undo(world, second.record.job);
  expect(await readSalon(world, clients)).toEqual(shorter.map(toRecord));
  await undo(world, first.record.job);
  expect(await world.clients()).toEqual([]);
}

async function undo(world: EditWorld, job: string): Promise<void> {
  const ran = await world.salon(['jobs', 'undo', job, '--yes', '--json']);
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
}

/** What the salon has, in the order of the list. */
async function readSalon(world: EditWorld, clients: readonly VariedClient[]) {
  const order = new Map(clients.map(({ first_name, last_name }, index) => [first_name + last_name, index]));
  const found = (await world.clients()).map(
    ({ first_name, last_name, email, phone, birthday, notes, tags }) => ({
      ...{ first_name, last_name, email, phone, birthday, notes, tags },
    }),
  );
  const indexOf = (client: { first_name: unknown; last_name: unknown }) =>
    order.get(`${client.first_name}${client.last_name}`) ?? -1;
  return found.toSorted((one, other) => indexOf(one) - indexOf(other));
}
