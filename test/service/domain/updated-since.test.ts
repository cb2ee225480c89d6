import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listAppointments } from '../../../src/service/domain/appointments.ts';
import { deleteClient, listClients, updateClient } from '../../../src/service/domain/clients.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import type { PageOfRecords } from '../../../src/service/domain/list-page.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

interface Row {
  readonly id: string;
  readonly updated_at: string;
}

interface Query {
  readonly updated_since?: string;
  readonly per_page?: number;
  readonly after?: string;
  readonly sort?: 'updated_at' | '-updated_at' | 'created_at';
}

async function paginate(read: (query: Query) => Promise<PageOfRecords>, query: Query): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await read(after === undefined ? query : { ...query, after });
    rows.push(...JSON.parse(page.dataJson.toString()));
    after = page.next;
  }
  return rows;
}

/** Twelve clients with an appointment each, a minute apart; some are changed later, one is deleted. */
async function fillSalon(salon: TestSalon): Promise<void> {
  const stylist_id = await salon.addStylist();
  const ids: string[] = [];
  for (let number = 0; number < 12; number++) {
    salon.environment.setTime(`2026-11-21T12:${10 + number}:00.000Z`);
    const id = await salon.addClient();
    await salon.addAppointment({ client_id: id, stylist_id, start_time: toStart(number) });
    ids.push(id);
  }
  for (const [step, number] of [3, 9, 3, 0].entries()) {
    salon.environment.setTime(`2026-11-21T13:0${step}:00.000Z`);
    await updateClient(salon.as(), ids[number] ?? '', { change: { notes: `${step}` } });
  }
  await deleteClient(salon.as(), ids[5] ?? '', { force: true });
}

function toStart(number: number): string {
  return `2026-12-${10 + number}T09:00:00Z`;
}

describe.each([
  ['clients', (context: Context) => (query: Query) => listClients(context, query)],
  ['appointments', (context: Context) => (query: Query) => listAppointments(context, query)],
])('%s changed since a time', (_, toRead) => {
  it('are found once each by paginating, with any page size, order and time', async () => {
    await using salon = await openTestSalon();
    await fillSalon(salon);
    const read = toRead(salon.as());
    const all = await paginate(read, {});
    const moments = all.flatMap(({ updated_at }) => [updated_at, toNext(updated_at)]);
    const query = fc.record({
      updated_since: fc.constantFrom('2026-11-21', '2026-11-22', ...moments),
      per_page: fc.integer({ min: 1, max: 5 }),
      sort: fc.constantFrom(undefined, 'updated_at', '-updated_at', 'created_at'),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ sort, ...rest }) => {
        const found = await paginate(read, { ...rest, ...(sort === undefined ? {} : { sort }) });
        const since = Date.parse(rest.updated_since);
        const expected = all.filter(({ updated_at }) => Date.parse(updated_at) >= since);
        expect(found.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
      }),
    );
  });

  it('appear in a pagination by time that started before the change', async () => {
    await using salon = await openTestSalon();
    await fillSalon(salon);
    const read = toRead(salon.as());
    const query = { updated_since: '2026-11-21T12:00:00Z', sort: 'updated_at', per_page: 2 } as const;
    const first = await read(query);
    const [row] = JSON.parse(first.dataJson.toString()) as Row[];
    salon.environment.setTime('2026-11-21T14:00:00.000Z');
    const changed = await changeOrAdd(salon, row?.id ?? '');
    const rest = await paginate(read, { ...query, after: first.next ?? '' });
    expect(rest.at(-1)?.id).toBe(changed);
  });
});

function toNext(instant: string): string {
  return new Date(Date.parse(instant) + 1).toISOString();
}

/** Changes a client, or adds an appointment. */
async function changeOrAdd(salon: TestSalon, id: string): Promise<string> {
  if (!id.startsWith('cli_')) return salon.addAppointment();
  return (await updateClient(salon.as(), id, { change: { notes: 'again' } })).id;
}
