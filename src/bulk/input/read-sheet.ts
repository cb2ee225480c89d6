import { isFields } from '../../client/fields.ts';
import { parseJson } from '../../contract/json.ts';
import { removeExcelGuard, toAddress } from '../sheet/cell-text.ts';
import { type CsvRow, createCsvParser, isBlank, isBlankRow } from '../sheet/csv-parser.ts';
import { maxRowLength, type RowProblem, type SheetForm, type SheetRow } from '../sheet/sheet-form.ts';
import { readText } from '../sheet/sheet-text.ts';
import { readJsonList } from './json-list.ts';

type UnnumberedRow = Omit<SheetRow, 'number'>;

/** Parses the rows of a sheet, chunk by chunk. */
interface RowReader {
  write(chunk: string): UnnumberedRow[];
  end(): UnnumberedRow[];
}

/**
 * Reads the rows of a sheet in their order, without blank ones. A row that cannot be read has a `problem`. CSV and
 * NDJSON are streamed; JSON is read as a whole and throws `usage` if it is not valid.
 */
export async function* readSheet(
  path: string,
  form: SheetForm,
  signal?: AbortSignal,
): AsyncGenerator<SheetRow, void> {
  let number = 0;
  if (form.format === 'json') {
    const { items } = await readJsonList(path, form.encoding);
    for (const { line, value } of items) yield { number: ++number, ...toObjectRow(line, value) };
    return;
  }
  if (form.format === 'xlsx') {
    for await (const row of readXlsxRows(path, form, signal)) yield { number: ++number, ...row };
    return;
  }
  const reader = form.format === 'csv' ? createCsvReader(form) : createNdjsonReader();
  for await (const chunk of readText(path, form.encoding)) {
    for (const row of reader.write(chunk)) yield { number: ++number, ...row };
  }
  for (const row of reader.end()) yield { number: ++number, ...row };
}

/** Names the cells of a CSV by its heading, and removes the guard of an export for Excel. */
function createCsvReader(form: SheetForm): RowReader {
  const { delimiter, hasSeparatorLine, isGuarded } = form;
  const names = fieldsOfColumns(form);
  const parser = createCsvParser(delimiter ?? ',');
  let linesToSkip = hasSeparatorLine ? 2 : 1;
  return {
    write: (chunk) => toRows(parser.write(chunk)),
    end: () => toRows(parser.end()),
  };

  function toRows(found: readonly CsvRow[]): UnnumberedRow[] {
    const rows: UnnumberedRow[] = [];
    for (const row of found) {
      if (isBlankRow(row)) continue;
      if (linesToSkip > 0) linesToSkip -= 1;
      else rows.push(toRow(row));
    }
    return rows;
  }

  function toRow({ line, cells: texts, problem }: CsvRow): UnnumberedRow {
    if (problem !== undefined) return unreadable(line, problem);
    const cells: Record<string, string> = {};
    for (const [index, name] of names.entries()) {
      const text = texts[index] ?? '';
      cells[name] = isGuarded ? removeExcelGuard(text) : text;
    }
    if (texts.length >= names.length && texts.slice(names.length).every(isBlank)) return { line, cells };
    const reason = `The row has ${count(texts.length, 'cell')}, the header ${count(names.length, 'column')}.`;
    return { line, cells, problem: { line, column: null, code: 'width', reason } };
  }
}

/** Field names of the columns. */
function fieldsOfColumns({ fields, columns }: SheetForm): readonly string[] {
  return fields ?? columns ?? [];
}

/** The rows below the heading of a worksheet. */
async function* readXlsxRows(
  path: string,
  form: SheetForm,
  signal: AbortSignal | undefined,
): AsyncGenerator<UnnumberedRow, void> {
  const { readWorksheet } = await import('../sheet/xlsx-reader.ts');
  const { worksheet, columns } = form;
  const names = fieldsOfColumns(form);
  const { name = '' } = worksheet ?? {};
  const sheet = { worksheet: name, columns: names.length, name: `worksheet "${name}"`, signal };
  let hasHeading = false;
  for await (const { line, cells: texts, failure } of readWorksheet(path, sheet)) {
    if (texts.every(isBlank)) continue;
    if (!hasHeading) {
      hasHeading = true;
      continue;
    }
    const cells = Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
    const tail = texts.findIndex((text, index) => index >= names.length && !isBlank(text));
    if (tail !== -1) {
      const reason = `Cell ${toAddress(tail, line)} has a value, but its column has no heading.`;
      yield { line, cells, problem: { line, column: null, code: 'width', reason } };
    } else if (failure !== undefined) {
      const { index, error } = failure;
      const reason = `Cell ${toAddress(index, line)} has no value: its formula gives ${error}.`;
      yield {
        line,
        cells,
        problem: { line, column: columns?.[index] ?? null, code: 'invalid_value', reason },
      };
    } else yield { line, cells };
  }
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

function createNdjsonReader(): RowReader {
  let text = '';
  let line = 1;
  let isSkipping = false;
  return {
    write(chunk) {
      const lines = `${text}${chunk}`.split('\n');
      text = lines.pop() ?? '';
      const rows = lines.flatMap(takeLine);
      if (text.length <= maxRowLength) return rows;
      text = '';
      if (!isSkipping) rows.push(unreadable(line, 'The line is longer than 1 MiB.'));
      isSkipping = true;
      return rows;
    },
    end: () => takeLine(text),
  };

  function takeLine(found: string): UnnumberedRow[] {
    const here = line;
    line += 1;
    const isRest = isSkipping;
    isSkipping = false;
    return isRest || found.trim() === '' ? [] : [parseLine(here, found)];
  }
}

function parseLine(line: number, text: string): UnnumberedRow {
  try {
    return toObjectRow(line, parseJson(text));
  } catch (cause) {
    return unreadable(line, `Not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

function toObjectRow(line: number, value: unknown): UnnumberedRow {
  return isFields(value) ? { line, cells: value } : unreadable(line, 'Not a JSON object.');
}

function unreadable(line: number, reason: string): UnnumberedRow {
  const problem: RowProblem = { line, column: null, code: 'unreadable', reason };
  return { line, cells: {}, problem: problem };
}
