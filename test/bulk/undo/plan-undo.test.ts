import { describe, expect, it } from 'vitest';
import type { RowResult } from '../../../src/bulk/apply/results.ts';
import type { RowOutcome } from '../../../src/bulk/jobs/journal.ts';
import type { PlannedRow } from '../../../src/bulk/plan/plan-format.ts';
import { toUndoOperation } from '../../../src/bulk/undo/plan-undo.ts';
import type { Fields } from '../../../src/client/json-object.ts';
import { openClient } from '../../support/open-client.ts';
import { openForeignSalon } from '../apply/foreign-salon.ts';
import { planUndo as planResults } from './plan-undo.ts';

const before = { id: 'cli_1', first_name: 'Ana', notes: 'tea', updated_at: '1' };

async function planUndo(current: readonly Fields[], results: readonly RowResult[]) {
  await using server = await openForeignSalon({ records: current });
  await using client = openClient(server.origin, { dialect: { paging: 'page' } });
  return await planResults(client, results);
}

function result(planned: Partial<PlannedRow>, outcome: Partial<RowOutcome> | undefined = {}): RowResult {
  const row: PlannedRow = { row: 3, line: 4, act: 'update', id: 'cli_1', ...planned };
  return { planned: row, outcome: { what: 'done', id: row.id, ...outcome } };
}

const changed = { change: { first_name: 'Anna', notes: null }, before };

describe('the undo of an update', () => {
  const after = { first_name: 'Anna', notes: null };
  const cases: [string, Fields, Partial<PlannedRow>][] = [
    [
      'restores what the job changed',
      { ...after, phone: '1' },
      { act: 'update', change: { first_name: 'Ana', notes: 'tea' } },
    ],
    ['skips what is restored already', { first_name: 'Ana', notes: 'tea' }, { act: 'none' }],
    [
      'restores the rest',
      { first_name: 'Anna', notes: 'tea' },
      { act: 'update', change: { first_name: 'Ana' } },
    ],
    [
      'refuses what has changed since',
      { first_name: 'Annie', notes: null },
      {
        act: 'refused',
        refusal: { code: 'changed_since', reason: 'first_name is now "Annie"; the job set "Anna".' },
      },
    ],
  ];

  it.each(cases)('%s', async (_name, fields, planned) => {
    const present = { ...before, ...fields };
    expect(await planUndo([present], [result(changed, { after })])).toMatchObject([
      { row: 3, line: 4, id: 'cli_1', ...planned },
    ]);
  });

  it('keeps the current record', async () => {
    const present = { ...before, ...after, phone: '1' };
    const [row] = await planUndo([present], [result(changed, { after })]);
    expect(row).toMatchObject({ before: present, cells: { id: 'cli_1', first_name: 'Ana', notes: 'tea' } });
  });

  it('compares with the value the server stored', async () => {
    const present = { ...before, first_name: 'ANNA', notes: null };
    const [row] = await planUndo([present], [result(changed, { after: { ...after, first_name: 'ANNA' } })]);
    expect(row).toMatchObject({ act: 'update', change: { first_name: 'Ana', notes: 'tea' } });
  });

  it('compares with the sent value if the response had no record', async () => {
    const [row] = await planUndo([{ ...before, ...after }], [result(changed)]);
    expect(row?.act).toBe('update');
  });

  it('refuses a deleted record', async () => {
    expect(await planUndo([], [result(changed, { after })])).toMatchObject([
      { act: 'refused', refusal: { code: 'not_found' } },
    ]);
  });
});

describe('the undo of a create', () => {
  const body = { first_name: 'Kim' };
  const made = { id: 'cli_7', first_name: 'Kim', notes: null, updated_at: '1' };
  const planned = { act: 'create', id: null, change: body } as const;

  it.each<[string, Fields, RowOutcome['after'], Partial<PlannedRow>]>([
    ['deletes an unchanged record', made, made, { act: 'delete', before: made }],
    ['deletes a record whose changes were reverted', { ...made, updated_at: '3' }, made, { act: 'delete' }],
    [
      'refuses what has changed since',
      { ...made, notes: 'tea', updated_at: '2' },
      made,
      {
        act: 'refused',
        refusal: { code: 'changed_since', reason: 'notes is now "tea"; the job set null.' },
      },
    ],
    [
      'compares with what was sent if the response was empty',
      { ...made, notes: 'tea' },
      undefined,
      { act: 'delete' },
    ],
    ['skips a deleted record', { ...made, id: 'cli_8' }, made, { act: 'none' }],
  ])('%s', async (_name, present, after, expected) => {
    const outcome = { id: 'cli_7', ...(after === undefined ? {} : { after }) };
    expect(await planUndo([present], [result(planned, outcome)])).toMatchObject([
      { row: 3, id: 'cli_7', ...expected },
    ]);
  });

  it('refuses a record with an unknown ID', async () => {
    const doubtful = { what: 'doubtful', id: null } as const;
    expect(await planUndo([made], [result(planned, doubtful)])).toMatchObject([
      { act: 'refused', id: null, refusal: { reason: 'It is unknown which client line 4 created.' } },
    ]);
  });
});

describe('the undo of a delete', () => {
  const planned = { act: 'delete', before } as const;

  it('creates the record again without read-only fields', async () => {
    expect(await planUndo([], [result(planned)])).toMatchObject([
      { act: 'create', id: null, change: { first_name: 'Ana', notes: 'tea' } },
    ]);
  });

  it('skips a record that exists', async () => {
    expect(await planUndo([before], [result(planned, { what: 'doubtful' })])).toMatchObject([
      { act: 'none', id: 'cli_1' },
    ]);
  });
});

describe('an undo', () => {
  it.each(['unchanged', 'stale', 'failed'] as const)('leaves out rows that were %s', async (what) => {
    expect(await planUndo([before], [result(changed, { what })])).toEqual([]);
  });

  it('leaves out rows that were never sent', async () => {
    const planned: PlannedRow = { row: 1, line: 2, act: 'update', id: 'cli_1', ...changed };
    expect(await planUndo([before], [{ planned, outcome: undefined }])).toEqual([]);
  });

  it('keeps the order of the job', async () => {
    const present = Array.from({ length: 50 }, (_, index) => ({ id: `cli_${index}`, notes: 'new' }));
    const results = present.map(({ id }, index) =>
      result(
        { row: 2 * index, id, change: { notes: 'new' }, before: { id, notes: 'old' } },
        { after: { notes: 'new' } },
      ),
    );
    const rows = await planUndo(present, results);
    expect(rows.map(({ row, id, act }) => [row, id, act])).toEqual(
      present.map(({ id }, index) => [2 * index, id, 'update']),
    );
  });

  it.each([
    ['create', 'delete'],
    ['update', 'update'],
    ['delete', 'create'],
  ] as const)('of a %s is a %s by ID', (verb, opposite) => {
    expect(toUndoOperation({ noun: 'clients', verb, match: 'email', force: true })).toEqual({
      noun: 'clients',
      verb: opposite,
      match: 'id',
      force: false,
    });
  });
});
