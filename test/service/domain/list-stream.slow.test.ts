import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../src/contract/client.ts';
import type { QueryOf } from '../../../src/contract/endpoints.ts';
import { findAppointments, listAppointments } from '../../../src/service/domain/appointments.ts';
import { deleteClient, findClients, listClients, updateClient } from '../../../src/service/domain/clients.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import type { CollectionQuery, PageOfRecords } from '../../../src/service/domain/list-page.ts';
import { type ListStream, openListStream } from '../../../src/service/domain/list-stream.ts';
import { seedAccount } from '../../../src/service/domain/sample/seed.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

let salon: TestSalon;
beforeEach(async () => {
  salon = await openTestSalon();
  const amount = { clients: 30, appointments: 2300, stylists: 3, seed: 7, today: salon.environment.now() };
  await seedAccount(
    { database: salon.store.database, environment: salon.environment },
    { ...amount, accountId: salon.accountId },
  );
});
afterEach(() => salon[Symbol.asyncDispose]());

async function readStream(stream: ListStream): Promise<{ id: string }[]> {
  const rows: { id: string }[] = [];
  for await (const { lines, count } of stream.batches()) {
    const parsed = lines.toString().split('\n');
    expect(parsed.pop()).toBe('');
    expect(parsed).toHaveLength(count);
    rows.push(...parsed.map((line) => JSON.parse(line)));
  }
  return rows;
}

async function readAll(context: Context, list: CollectionQuery): Promise<{ id: string }[]> {
  await using stream = await openListStream(context, list);
  return await readStream(stream);
}

async function readPages(read: (after: object) => Promise<PageOfRecords>): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let after: object | undefined = {}; after !== undefined; ) {
    const page: PageOfRecords = await read({ ...after, per_page: 200 });
    rows.push(...JSON.parse(page.dataJson.toString()));
    after = page.next === null ? undefined : { after: page.next };
  }
  return rows;
}

describe('a stream of a list', () => {
  it.each<[string, QueryOf<'listAppointments'>]>([
    ['in creation order', {}],
    ['in another order', { sort: '-start_time' }],
    ['with a filter that matches most records', { status: 'completed,confirmed,cancelled,pending' }],
    ['with a filter in another order', { status: 'completed', sort: 'updated_at' }],
    ['with a filter that matches nothing', { client_id: 'cli_none' }],
  ])('has the records of all pages %s', async (_what, query) => {
    const context = salon.as();
    const pages = await readPages((after) => listAppointments(context, { ...query, ...after }));
    expect(await readAll(context, findAppointments(context, query))).toEqual(pages);
  });

  it('has only the own records of a stylist', async () => {
    const stylistId = await salon.addStylist();
    await salon.addAppointment({ stylist_id: stylistId });
    const context = salon.as({ role: 'stylist', stylistId });
    const rows = await readAll(context, findAppointments(context, {}));
    expect(rows).toMatchObject([{ stylist_id: stylistId }]);
  });

  it('starts after a cursor of a page', async () => {
    const context = salon.as();
    const query = { sort: 'start_time' } as const;
    const { next } = await listAppointments(context, { ...query, per_page: 7 });
    const rows = await readAll(context, findAppointments(context, { ...query, after: String(next) }));
    const all = await readAll(context, findAppointments(context, query));
    expect(rows).toEqual(all.slice(7));
  });

  it('has cursors that pages continue after', async () => {
    const context = salon.as();
    await using stream = await openListStream(context, findAppointments(context, {}));
    const { value: batch } = await stream.batches().next();
    const { dataJson } = await listAppointments(context, { after: String(batch?.next), per_page: 1 });
    const all = await readAll(context, findAppointments(context, {}));
    expect(JSON.parse(dataJson.toString())).toEqual([all[batch?.count ?? 0]]);
  });

  it('shows one moment, whatever is written meanwhile', async () => {
    const context = salon.as();
    const before = await readPages((after) => listClients(context, after));
    await using stream = await openListStream(context, await findClients(context, {}));
    const [first] = before as Client[];
    await updateClient(context, String(first?.id), { change: { notes: 'Changed' } });
    await salon.addClient();
    const last = (before as Client[]).at(-1);
    await deleteClient(context, String(last?.id), { force: true });
    expect(stream.total).toBe(before.length);
    expect(await readStream(stream)).toEqual(before);
    expect((await listClients(context, {})).version).toBeGreaterThan(stream.version);
  });

  it('is refused for a page after the first', async () => {
    const context = salon.as();
    const opening = openListStream(context, await findClients(context, { page: 2 }));
    await expect(opening).rejects.toMatchObject({
      code: 'invalid_parameter',
      violations: [{ parameter: 'page' }],
    });
  });
});
