import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Appointment } from '../../../src/contract/appointment.ts';
import type { Client } from '../../../src/contract/client.ts';
import type { QueryOf } from '../../../src/contract/endpoints.ts';
import { listAppointments } from '../../../src/service/domain/appointments.ts';
import { deleteClient, listClients, updateClient } from '../../../src/service/domain/clients.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import type { PageOfRecords } from '../../../src/service/domain/list-page.ts';
import { seedAccount } from '../../../src/service/domain/sample/seed.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';
import { countBySpeed } from '../../support/speed.ts';

/** All rows, by following the cursors. */
async function paginate<Row>(read: (after: object) => Promise<PageOfRecords>): Promise<Row[]> {
  const rows: Row[] = [];
  let page = await read({});
  rows.push(...JSON.parse(page.dataJson.toString()));
  while (page.next !== null) {
    page = await read({ after: page.next });
    rows.push(...JSON.parse(page.dataJson.toString()));
  }
  return rows;
}

function seedSalon(salon: TestSalon, amount: { clients: number; appointments: number }) {
  const today = salon.environment.now();
  return seedAccount(
    { database: salon.store.database, environment: salon.environment },
    { ...amount, stylists: 3, seed: 7, today },
  );
}

/** Sorts by the field, ties in creation order. */
function sortRows<Row>(
  rows: readonly Row[],
  sort: string | undefined,
  keyOf: (row: Row, field: string) => string,
) {
  if (sort === undefined) {
    return [...rows];
  }
  const sign = sort.startsWith('-') ? -1 : 1;
  const field = sort.replace('-', '');
  return rows.toSorted((a, b) => {
    const [left, right] = [keyOf(a, field), keyOf(b, field)];
    return left === right ? 0 : left < right ? -sign : sign;
  });
}

describe('pagination by cursor', () => {
  it('returns every appointment once, in order, with every sort and filter', async () => {
    await using salon = await openTestSalon();
    await seedSalon(salon, { clients: 12, appointments: 300 });
    const all = await paginate<Appointment>((after) =>
      listAppointments(salon.as(), { ...after, per_page: 200 }),
    );
    expect(all).toHaveLength(300);
    const some = all[150];
    const filter = fc.record(
      {
        client_id: fc.constantFrom(...new Set(all.map((row) => row.client_id))),
        stylist_id: fc.constantFrom(...new Set(all.map((row) => row.stylist_id))),
        status: fc.constantFrom('completed', 'cancelled,no_show', 'pending,confirmed,pending', 'arrived'),
        start_time_from: fc.constantFrom('2026-01-01', some?.start_time ?? ''),
        start_time_to: fc.constantFrom('2026-06-30', some?.start_time ?? ''),
        updated_since: fc.constantFrom('2026-03-01', some?.updated_at ?? ''),
        sort: fc.constantFrom(
          'start_time',
          '-start_time',
          'created_at',
          '-created_at',
          'updated_at',
          '-updated_at',
        ),
      } as const,
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(filter, fc.integer({ min: 1, max: 60 }), async (query, per_page) => {
        const paginated = await paginate<Appointment>((after) => {
          return listAppointments(salon.as(), { ...query, ...after, per_page });
        });
        const expected = sortRows(
          all.filter((row) => matches(row, query)),
          query.sort,
          (row, field) => String(Date.parse(String(Object(row)[field]))).padStart(15, '0'),
        );
        expect(paginated.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        const { total } = await listAppointments(salon.as(), query);
        expect(total).toBe(expected.length);
      }),
      { numRuns: countBySpeed(150) },
    );
  });

  it('returns every client once with every sort, for any names', async () => {
    await using salon = await openTestSalon();
    const names = fc.array(fc.option(fc.string({ unit: 'grapheme', maxLength: 100 })), {
      minLength: 1,
      maxLength: 25,
    });
    await fc.assert(
      fc.asyncProperty(
        names,
        fc.constantFrom('last_name', '-last_name', '-created_at'),
        async (lastNames, sort) => {
          const neighbour = await salon.openNeighbour();
          const ids = [];
          for (const last_name of lastNames) {
            ids.push(
              await neighbour.addClient({
                first_name: 'A',
                last_name: last_name?.replaceAll('\0', '') ?? null,
              }),
            );
          }
          const paginated = await paginate<Client>((after) => {
            return listClients(neighbour.as(), { sort, ...after, per_page: 3 } as QueryOf<'listClients'>);
          });
          expect(paginated.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
        },
      ),
      { numRuns: countBySpeed(15) },
    );
  });

  it('continues after a record that was deleted or moved', async () => {
    await using salon = await openTestSalon();
    const ids = [await salon.addClient(), await salon.addClient(), await salon.addClient()];
    for (const sort of [undefined, 'created_at', 'last_name'] as const) {
      const query = { per_page: 1, ...(sort === undefined ? {} : { sort }) };
      const { next } = await listClients(salon.as(), query);
      await updateClient(salon.as(), ids[0] ?? '', { change: { last_name: `Z${sort}` } });
      const rest = await listClients(salon.as(), { ...query, after: next ?? '' });
      expect(JSON.parse(rest.dataJson.toString())).toMatchObject([{ id: ids[1] }]);
      await updateClient(salon.as(), ids[0] ?? '', { change: { last_name: null } });
    }
    const { next } = await listClients(salon.as(), { per_page: 1 });
    await deleteClient(salon.as(), ids[0] ?? '', { force: false });
    const rest = await listClients(salon.as(), { per_page: 1, after: next ?? '', page: 9 });
    expect(JSON.parse(rest.dataJson.toString())).toMatchObject([{ id: ids[1] }]);
    expect(rest.page).toBe(9);
  });

  it('has cursors short enough for a URL', async () => {
    await using salon = await openTestSalon();
    for (const last_name of [
      '\u0001'.repeat(100),
      '"'.repeat(100),
      '語'.repeat(100),
      '👩‍🎨'.repeat(20),
      'x',
    ]) {
      await salon.addClient({ last_name });
    }
    let page = await listClients(salon.as(), { sort: 'last_name', per_page: 1 });
    while (page.next !== null) {
      expect(page.next.length).toBeLessThanOrEqual(512);
      page = await listClients(salon.as(), { sort: 'last_name', per_page: 1, after: page.next });
    }
  });
});

describe('a cursor', () => {
  const readings: [string, (context: Context, after: string) => Promise<PageOfRecords>][] = [
    ['another order', (context, after) => listClients(context, { after, sort: '-created_at' })],
    ['another filter', (context, after) => listClients(context, { after, q: 'a' })],
    ['another list', (context, after) => listAppointments(context, { after })],
    ['a made-up place', (context) => listClients(context, { after: toCursor([1, 1, 0]) })],
    ['a made-up shape', (context) => listClients(context, { after: toCursor({ seq: 1 }) })],
    ['no JSON', (context) => listClients(context, { after: 'AAAA' })],
    ['one more character', (context, after) => listClients(context, { after: `${after}=` })],
    ['nothing of the kind', (context) => listClients(context, { after: '../../etc' })],
  ];

  it.each(readings)('is refused with %s', async (_, read) => {
    await using salon = await openTestSalon();
    await salon.addClient();
    await salon.addClient();
    const { next } = await listClients(salon.as(), { per_page: 1 });
    await expect(read(salon.as(), next ?? '')).rejects.toMatchObject({
      code: 'invalid_parameter',
      violations: [{ parameter: 'after', code: 'invalid_format' }],
    });
  });

  it('by name is refused from before names were sorted as they are now', async () => {
    await using salon = await openTestSalon();
    for (const last_name of ['Nowak', 'Łukasik']) await salon.addClient({ last_name });
    const list = JSON.stringify([salon.accountId, 'clients', null, [['sort', 'last_name']]]);
    const after = toCursor(['nowak', 1, crc32(JSON.stringify([list, 'nowak', 1]))]);
    await expect(listClients(salon.as(), { sort: 'last_name', after })).rejects.toMatchObject({
      code: 'invalid_parameter',
      violations: [{ parameter: 'after', code: 'invalid_format' }],
    });
  });

  it('of another account is refused', async () => {
    await using salon = await openTestSalon();
    await salon.addClient();
    await salon.addClient();
    const { next } = await listClients(salon.as(), { per_page: 1 });
    const stranger = (await salon.openNeighbour()).as();
    await expect(listClients(stranger, { after: next ?? '' })).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
  });

  it('is present exactly when more rows follow', async () => {
    await using salon = await openTestSalon();
    for (let count = 0; count < 4; count++) await salon.addClient();
    const query = { per_page: 2 } as const;
    const first = await listClients(salon.as(), query);
    expect(first.next).not.toBeNull();
    expect((await listClients(salon.as(), { ...query, after: first.next ?? '' })).next).toBeNull();
    expect((await listClients(salon.as(), { ...query, page: 2 })).next).toBeNull();
    expect((await listClients(salon.as(), { ...query, page: 3 })).next).toBeNull();
  });
});

function toCursor(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

function matches(row: Appointment, query: QueryOf<'listAppointments'>): boolean {
  const dayEnd = (text: string) => Date.parse(text) + (text.length === 10 ? 86_400_000 : 0);
  const { client_id, stylist_id, status, start_time_from, start_time_to, updated_since } = query;
  return (
    (client_id === undefined || row.client_id === client_id) &&
    (stylist_id === undefined || row.stylist_id === stylist_id) &&
    (status === undefined || status.split(',').includes(row.status)) &&
    (start_time_from === undefined || Date.parse(row.start_time) >= Date.parse(start_time_from)) &&
    (start_time_to === undefined || Date.parse(row.start_time) < dayEnd(start_time_to)) &&
    (updated_since === undefined || Date.parse(row.updated_at) >= Date.parse(updated_since))
  );
}
