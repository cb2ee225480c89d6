import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AppointmentStatus } from '../../../src/contract/appointment.ts';
import type { Database } from '../../../src/service/db/database.ts';
import type { CollectionPage, CursorPosition, Order } from '../../../src/service/db/pages.ts';
import { deleteRecord, insertRecord, updateRecords } from '../../../src/service/db/records/records.ts';
import type { Condition } from '../../../src/service/db/rows.ts';
import { openTestSalon } from '../../support/salon.ts';
import { countBySpeed } from '../../support/speed.ts';

/** Few values, so that filters often match and orders often tie. */
interface Row {
  readonly stylist_id: string;
  readonly status: AppointmentStatus;
  readonly start_ms: number;
  readonly created_ms: number;
  readonly updated_ms: number;
}

const collection = 'appointments';
const row = fc.record<Row>({
  stylist_id: fc.constantFrom('a', 'b', 'c'),
  status: fc.constantFrom('pending', 'confirmed', 'cancelled'),
  start_ms: fc.integer({ min: 0, max: 9 }),
  created_ms: fc.integer({ min: 0, max: 9 }),
  updated_ms: fc.integer({ min: 0, max: 9 }),
});
const edge = fc.integer({ min: 0, max: 9 });
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    column: fc.constant('stylist_id' as const),
    is: fc.constant('=' as const),
    value: fc.constantFrom('a', 'b'),
  }),
  fc.record({
    column: fc.constant('status' as const),
    isOneOf: fc.subarray(['pending', 'confirmed', 'cancelled'], { minLength: 1 }),
  }),
  fc.record({
    column: fc.constantFrom('start_ms' as const, 'updated_ms' as const),
    is: fc.constantFrom('>=' as const, '<' as const),
    value: edge,
  }),
);
const order = fc.record<Order>({
  column: fc.constantFrom('seq', 'start_ms', 'created_ms', 'updated_ms'),
  descending: fc.boolean(),
});
const wholeList = { conditions: [], order: { column: 'seq', descending: false }, perPage: 1 } as const;
const list = fc.record({
  // A query has at most one condition of a kind.
  conditions: fc.uniqueArray(condition, {
    maxLength: 3,
    selector: (one) => ('column' in one ? one.column : ''),
  }),
  order: order.map((one) => (one.column === 'seq' ? { ...one, descending: false } : one)),
  perPage: fc.integer({ min: 1, max: 7 }),
});
const step = fc.record({
  /** Which of two processes acts. */
  by: fc.nat(1),
  act: fc.oneof(
    { weight: 4, arbitrary: fc.record({ add: row }) },
    { weight: 2, arbitrary: fc.record({ change: fc.nat(), to: row }) },
    { weight: 1, arbitrary: fc.record({ remove: fc.nat() }) },
    { weight: 4, arbitrary: fc.record({ read: fc.nat(), page: fc.nat() }) },
  ),
});

interface Stored extends Row {
  readonly seq: number;
  readonly id: string;
}

function toRow(accountId: string, { id, ...found }: Row & { id: string }) {
  const fixed = { account_id: accountId, client_id: 'c', end_ms: 0, payment: null, record: `"${id}"` };
  return { ...fixed, id, ...found };
}

function isMatch(found: Stored, one: Condition): boolean {
  if ('isOneOf' in one) return one.isOneOf.includes(found.status);
  if (!('is' in one)) throw new Error('Unexpected condition.');
  const value =
    one.column === 'stylist_id' ? found.stylist_id : found[one.column as 'start_ms' | 'updated_ms'];
  return one.is === '=' ? value === one.value : one.is === '<' ? value < one.value : value >= one.value;
}

function toSorted(rows: readonly Stored[], { column, descending }: Order): Stored[] {
  const by = column as 'seq' | 'start_ms' | 'created_ms' | 'updated_ms';
  return rows.toSorted((a, b) => (descending ? b[by] - a[by] : a[by] - b[by]) || a.seq - b.seq);
}

async function paginate(
  database: Database,
  request: { accountId: string; conditions: readonly Condition[]; order: Order; perPage: number },
): Promise<{ ids: string[]; totals: number[] }> {
  const { perPage: limit, ...rest } = request;
  const ids: string[] = [];
  const totals: number[] = [];
  let from: { offset: number } | { after: CursorPosition } = { offset: 0 };
  for (;;) {
    const page: CollectionPage = await database.readPage({ ...rest, collection, limit, from });
    ids.push(...(JSON.parse(page.dataJson.toString()) as string[]));
    totals.push(page.total);
    if (page.last === null) return { ids, totals };
    from = { after: page.last };
  }
}

describe('a filtered or sorted list', () => {
  it('matches filtering and sorting in memory, with two processes writing and reading', async () => {
    await using salon = await openTestSalon();
    const databases = [salon.store.database, await salon.store.openAgain()] as const;
    const lists = fc.array(list, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(lists, fc.array(step, { minLength: 10, maxLength: 60 }), async (requests, steps) => {
        const { accountId } = await salon.openNeighbour();
        let stored: Stored[] = [];
        let made = 0;
        for (const { by, act } of steps) {
          const database = databases[by] ?? databases[0];
          if ('add' in act) {
            made += 1;
            const added = { ...act.add, id: `apt_${accountId}_${made}` };
            await database.transaction('service', (tx) =>
              insertRecord(tx, 'appointments', toRow(accountId, added)),
            );
            stored.push({ ...added, seq: made });
            continue;
          }
          if ('read' in act) {
            const request = requests[act.read % requests.length] ?? wholeList;
            const matching = stored.filter((one) => request.conditions.every((each) => isMatch(one, each)));
            const expected = toSorted(matching, request.order).map(({ id }) => id);
            const { ids, totals } = await paginate(database, { accountId, ...request });
            expect(ids).toEqual(expected);
            expect(new Set(totals)).toEqual(new Set([matching.length]));
            const { perPage: limit, ...rest } = request;
            const offset = limit * (act.page % (Math.ceil(made / limit) + 1));
            const page = await database.readPage({ ...rest, accountId, collection, limit, from: { offset } });
            expect(JSON.parse(page.dataJson.toString())).toEqual(expected.slice(offset, offset + limit));
            expect(page.last === null).toBe(offset + limit >= expected.length);
            continue;
          }
          const chosen = stored[('change' in act ? act.change : act.remove) % stored.length];
          if (chosen === undefined) continue;
          if ('change' in act) {
            const { seq, id } = chosen;
            await database.transaction('service', (tx) =>
              updateRecords(tx, 'appointments', [toRow(accountId, { ...act.to, id })]),
            );
            stored = stored.map((one) => (one === chosen ? { ...act.to, id, seq } : one));
          } else {
            await database.transaction('service', (tx) =>
              deleteRecord(tx, { accountId, collection }, chosen.seq),
            );
            stored = stored.filter((one) => one !== chosen);
          }
        }
      }),
      { numRuns: countBySpeed(40) },
    );
  });
});
