import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createPartialFile } from '../export/partial-file.ts';
import type { Plan } from '../plan/plan-file.ts';
import { createSheetWriter } from '../sheet/row-writer.ts';
import type { SheetForm } from '../sheet/sheet-form.ts';
import { isFailed, type RowResult, readRowResults, resultColumns, toResultRow } from './results.ts';

export interface Reporting {
  readonly plan: Plan;
  readonly journalPath: string;
  /** Where the files are made. */
  readonly folder: string;
  /** Whether the rows that failed are of a sheet that can be written again. */
  readonly hasSheet: boolean;
}

/** Files that say what became of a job's rows. */
export interface Reports {
  readonly results: string;
  /** The rows that failed, in the sheet's own form, ready to run again; undefined where none did. */
  readonly failed: string | undefined;
}

const resultForm: SheetForm = {
  format: 'csv',
  encoding: 'utf-8',
  hasByteOrderMark: false,
  lineEnd: '\n',
  delimiter: ',',
  columns: resultColumns,
  hasSeparatorLine: false,
  isGuarded: false,
  member: null,
};

/** Writes what became of every row, and the rows that failed once more. Throws `output_failed`. */
export async function writeReports({ plan, journalPath, folder, hasSheet }: Reporting): Promise<Reports> {
  const { form } = plan.head.source;
  const results = join(folder, 'results.csv');
  await writeRows(results, resultForm, toRecords(readRowResults(plan.rows(), journalPath)));
  if (!hasSheet) return { results, failed: undefined };
  const failed = join(folder, `failed.${form.format}`);
  const count = await writeRows(failed, form, toFailedCells(readRowResults(plan.rows(), journalPath)));
  return { results, failed: count === 0 ? undefined : failed };
}

/** Rows that are handed to the system at once. */
const rowsPerBlock = 256;

async function writeRows(path: string, form: SheetForm, rows: AsyncIterable<object>): Promise<number> {
  const writer = createSheetWriter(form);
  const file = await createPartialFile({ path, realPath: path, mode: 0o600 }, randomUUID());
  let count = 0;
  let block: Buffer[] = [writer.begin()];
  try {
    for await (const row of rows) {
      block.push(writer.rows([{ ...row }]));
      count += 1;
      if (block.length < rowsPerBlock) continue;
      await file.write(Buffer.concat(block));
      block = [];
    }
    await file.write(Buffer.concat([...block, writer.end()]));
    await file.commit();
    return count;
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function* toRecords(results: AsyncIterable<RowResult>): AsyncGenerator<object> {
  for await (const result of results) yield toResultRow(result);
}

async function* toFailedCells(results: AsyncIterable<RowResult>): AsyncGenerator<object> {
  for await (const result of results) if (isFailed(result)) yield result.planned.cells ?? {};
}
