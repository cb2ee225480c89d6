import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createPartialFile } from '../export/partial-file.ts';
import type { Plan } from '../plan/plan-file.ts';
import type { SheetForm } from '../sheet/sheet-form.ts';
import { createSheetWriter } from '../sheet/sheet-text.ts';
import { isRetryable, type RowResult, readRowResults, resultColumns, toResultRow } from './results.ts';

export interface ReportOptions {
  readonly plan: Plan;
  readonly journalPath: string;
  /** Folder for the files. */
  readonly folder: string;
  /** Whether the plan was made from a sheet, so that failed rows can be written as one. */
  readonly hasSheet: boolean;
}

/** Paths of the report files. */
export interface Reports {
  readonly results: string;
  /** The failed rows in the format of the sheet, ready to fix and run again; undefined if none failed. */
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

/** Writes the result of every row, and the failed rows. Throws `output_failed`. */
export async function writeReports({ plan, journalPath, folder, hasSheet }: ReportOptions): Promise<Reports> {
  const { form } = plan.head.source;
  const results = join(folder, 'results.csv');
  await writeRows(results, resultForm, toRecords(readRowResults(plan.rows(), journalPath)));
  if (!hasSheet) return { results, failed: undefined };
  const failed = join(folder, `failed.${form.format}`);
  const count = await writeRows(failed, form, toFailedCells(readRowResults(plan.rows(), journalPath)));
  return { results, failed: count === 0 ? undefined : failed };
}

/** Rows written at once. */
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
  for await (const result of results) if (isRetryable(result)) yield result.planned.cells ?? {};
}
