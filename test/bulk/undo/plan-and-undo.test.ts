import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pickFields } from '../../../src/bulk/apply/apply-row.ts';
import type { RowResult } from '../../../src/bulk/apply/results.ts';
import { createCellRules } from '../../../src/bulk/input/cell-values.ts';
import type { PlannedRow } from '../../../src/bulk/plan/plan-format.ts';
import type { Fields } from '../../../src/client/json-object.ts';
import { openClient } from '../../support/open-client.ts';
import { countBySpeed } from '../../support/speed.ts';
import { openForeignSalon } from '../apply/foreign-salon.ts';
import { planSheet } from '../plan/plan-sheet.ts';
import { planUndo } from './plan-undo.ts';

const rules = createCellRules({ format: 'ndjson', noun: 'clients', timeZone: 'UTC' });
const fields = fc.record(
  {
    first_name: fc.option(fc.string({ maxLength: 5 })),
    phone: fc.constantFrom(null, '+44 20 79460018', '+442079460018', '020-7946 0018'),
    tags: fc.array(fc.constantFrom('vip', 'new'), { maxLength: 2 }),
    loyalty: fc.jsonValue({ maxDepth: 1 }).map(asSent),
  },
  { requiredKeys: [] },
);

/** Applies a plan to a list, like a server that merges updates. */
function apply(records: Fields[], rows: readonly PlannedRow[]): RowResult[] {
  return rows.map((planned) => {
    const { act, id, change = {} } = planned;
    if (act !== 'update') return { planned, outcome: undefined };
    const at = records.findIndex((record) => record['id'] === id);
    records[at] = { ...records[at], ...change };
    return { planned, outcome: { what: 'done', id, after: pickFields(records[at], change) } };
  });
}

describe('a plan and its undo', () => {
  it('change only what differs and restore all of it', async () => {
    const records: Fields[] = [];
    await using server = await openForeignSalon({ records });
    await using client = openClient(server.origin, { dialect: { paging: 'page' } });
    const pairs = fc.array(fc.tuple(fields, fields), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(pairs, async (drawn) => {
        const before: Fields[] = drawn.map(([record], index) => ({ id: `cli_${index}`, ...record }));
        records.splice(0, records.length, ...before);
        const cells = drawn.map(([, row], index) => ({ id: `cli_${index}`, ...row }));
        const { rows } = await planSheet(client, { rules }, cells);
        const results = apply(records, rows);
        const unnamed = (record: Fields, index: number) =>
          Object.entries(record).filter(([field]) => !Object.hasOwn(cells[index] ?? {}, field));
        expect(records.map(unnamed)).toEqual(before.map(unnamed));
        const again = await planSheet(client, { rules }, cells);
        expect(again.rows.every(({ act }) => act === 'none')).toBe(true);
        apply(records, await planUndo(client, results));
        expect(records.map((record, index) => pickFields(record, before[index] ?? {}))).toEqual(before);
      }),
      { numRuns: countBySpeed(25) },
    );
  });
});

/** A value after a round trip through JSON, which has no minus zero. */
function asSent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
