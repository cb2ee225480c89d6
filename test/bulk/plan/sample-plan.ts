import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlanCounts, PlanHead, PlannedRow } from '../../../src/bulk/plan/plan-format.ts';

export const sampleHead: PlanHead = {
  createdAt: '2026-11-21T12:00:00.000Z',
  edit: { noun: 'clients', verb: 'update', match: 'id', force: false },
  source: {
    name: 'clients.csv',
    sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    form: {
      format: 'csv',
      encoding: 'utf-8',
      hasByteOrderMark: true,
      lineEnd: '\r\n',
      delimiter: ';',
      columns: ['id', 'first_name'],
      hasSeparatorLine: false,
      headingLine: 1,
      isGuarded: false,
      member: null,
    },
  },
  account: { origin: 'https://salon.test', account: 'acc_1' },
  records: 450,
};

export const noCounts: PlanCounts = {
  rows: 0,
  create: 0,
  update: 0,
  delete: 0,
  none: 0,
  refused: 0,
  clears: 0,
  clearedRows: 0,
  overwrites: 0,
  existing: 0,
  skipped: 0,
  repeated: 0,
  alike: 0,
  fields: {},
};

export const sampleRows: readonly PlannedRow[] = [
  {
    row: 1,
    line: 2,
    act: 'update',
    id: 'cli_1',
    change: { first_name: 'Zoë', notes: null },
    before: { id: 'cli_1', first_name: 'Zoe', notes: 'a\nb\u2028c' },
    cells: { id: 'cli_1', first_name: 'Zoë', notes: '\\N' },
  },
  { row: 2, line: 4, act: 'none', id: 'cli_2' },
  {
    row: 3,
    line: 5,
    act: 'refused',
    id: 'cli_9',
    cells: { id: 'cli_9' },
    refusal: { code: 'not_found', reason: 'There is no client cli_9.' },
  },
];

/** A folder that goes when it is no longer used. */
export async function openFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'salon-plan-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export async function* each<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}
