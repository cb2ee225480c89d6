import { stat } from 'node:fs/promises';
import { isFields } from '../../client/json-object.ts';
import { SalonError } from '../../contract/errors.ts';
import { parseJson } from '../../text/json.ts';
import { countOf } from '../../text/numbers.ts';
import { removeExcelGuard, toAddress } from '../sheet/cell-text.ts';
import { type CsvRow, createCsvParser, isBlank, isBlankRow } from '../sheet/csv-parser.ts';
import {
  type Encoding,
  isTableFormat,
  maxRowLength,
  type RowProblem,
  type SheetForm,
  type SheetRow,
  toUnreadableRow,
  type UnnumberedRow,
} from '../sheet/sheet-form.ts';
import { readText } from '../sheet/sheet-text.ts';
import { type AsideRow, findAside } from './find-headings.ts';
import { createCellJoiner } from './join-cells.ts';

/**
 * Reads the rows of a sheet in their order, without blank ones. A row that cannot be read has a `problem`. CSV and
 * NDJSON are streamed; JSON is read as a whole and throws `usage` if it is not valid.
 */
export function readSheet(
  path: string,
  form: SheetForm,
  signal?: AbortSignal,
  onAside: (row: AsideRow) => void = () => undefined,
): AsyncGenerator<SheetRow, void> {
  const rows = readRows(path, form, { signal, onAside });
  return form.parts === undefined ? rows : joinRows(rows, form);
}

async function* joinRows(rows: AsyncIterable<SheetRow>, form: SheetForm): AsyncGenerator<SheetRow, void> {
  const join = createCellJoiner(form);
  for await (const row of rows) yield { ...row, cells: join(row.cells as Readonly<Record<string, string>>) };
}

async function* readRows(
  path: string,
  form: SheetForm,
  { signal, onAside }: TableRowsOptions,
): AsyncGenerator<SheetRow, void> {
  let number = 0;
  if (form.format === 'json') {
    const { items } = await readJsonList(path, form.encoding);
    for (const { line, value } of items) yield { number: ++number, ...toObjectRow(line, value) };
    return;
  }
  if (isTableFormat(form.format)) {
    for await (const row of readTableRows(path, form, { signal, onAside }))
      yield { number: ++number, ...row };
    return;
  }
  const { format, encoding, calendar } = form;
  if (format === 'vcard' || calendar !== undefined) {
    const rows =
      calendar === undefined
        ? (await import('./contact-cards.ts')).readCards(path, encoding)
        : (await import('./calendar-events.ts')).readEvents(path, { encoding, calendar });
    const toFields = createRenamer(form);
    for await (const { cells, ...row } of rows) yield { number: ++number, ...row, cells: toFields(cells) };
    return;
  }
  const reader = format === 'csv' ? createCsvReader(form, onAside) : createNdjsonReader();
  for await (const chunk of readText(path, form.encoding)) {
    for (const row of reader.write(chunk)) yield { number: ++number, ...row };
  }
  for (const row of reader.end()) yield { number: ++number, ...row };
}

/** Names the cells of cards and events, which have headings of ours, by their fields. */
function createRenamer({ columns, fields }: SheetForm) {
  const names = columns?.map((heading, index) => [heading, fields?.[index] ?? heading] as const) ?? [];
  return (cells: UnnumberedRow['cells']) => {
    const named: Record<string, unknown> = {};
    for (const [heading, field] of names) named[field] = cells[heading] ?? '';
    return named;
  };
}

/** Names the cells of a CSV by its heading, and removes the guard of an export for Excel. */
function createCsvReader(form: SheetForm, onAside: (row: AsideRow) => void) {
  const { delimiter, isGuarded, columns, headingLine } = form;
  const names = fieldsOfColumns(form);
  const parser = createCsvParser(delimiter ?? ',');
  // A row at the end without a line break may be cut off.
  return {
    write: (chunk: string) => toRows(parser.write(chunk)),
    end: () => toRows(parser.end(), { isCut: true }),
  };

  function toRows(found: readonly CsvRow[], { isCut = false } = {}): UnnumberedRow[] {
    const rows: UnnumberedRow[] = [];
    for (const row of found) {
      if (row.line <= headingLine || isBlankRow(row)) continue;
      const text = findAside(row.cells, columns ?? []);
      if (text === undefined) rows.push(toRow(row, isCut));
      else onAside({ line: row.line, text });
    }
    return rows;
  }

  function toRow({ line, cells: texts, problem }: CsvRow, isCut: boolean): UnnumberedRow {
    if (problem !== undefined) return toUnreadableRow(line, problem);
    const cells: Record<string, string> = {};
    for (const [index, name] of names.entries()) {
      const text = texts[index] ?? '';
      cells[name] = isGuarded ? removeExcelGuard(text) : text;
    }
    if (texts.length >= names.length && texts.slice(names.length).every(isBlank)) return { line, cells };
    const reason = `The row has ${countOf(texts.length, 'cells')}, the header ${countOf(names.length, 'columns')}.`;
    const width: RowProblem = { line, column: null, code: 'width', reason };
    return { line, cells, [texts.length < names.length && !isCut ? 'width' : 'problem']: width };
  }
}

/** Field names of the columns. */
function fieldsOfColumns({ fields, columns }: SheetForm): readonly string[] {
  return fields ?? columns ?? [];
}

interface TableRowsOptions {
  readonly signal: AbortSignal | undefined;
  readonly onAside: (row: AsideRow) => void;
}

/** The rows below the heading of a worksheet or table. */
async function* readTableRows(
  path: string,
  form: SheetForm,
  { signal, onAside }: TableRowsOptions,
): AsyncGenerator<UnnumberedRow, void> {
  const { columns, headingLine } = form;
  const names = fieldsOfColumns(form);
  for await (const { line, cells: texts, problem } of readTexts(path, form, signal)) {
    if (line > headingLine && problem !== undefined) yield toUnreadableRow(line, problem);
    if (line <= headingLine || texts.every(isBlank)) continue;
    const text = findAside(texts, columns ?? []);
    if (text !== undefined) {
      onAside({ line, text });
      continue;
    }
    const cells = Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
    const tail = texts.findIndex((text, index) => index >= names.length && !isBlank(text));
    if (tail !== -1) {
      const reason = `Cell ${toAddress(tail, line)} has a value, but its column has no heading.`;
      yield { line, cells, problem: { line, column: null, code: 'width', reason } };
    } else yield { line, cells };
  }
}

/** All rows of the worksheet or table that a form names. */
async function* readTexts(
  path: string,
  { format, encoding, worksheet, columns }: SheetForm,
  signal: AbortSignal | undefined,
): AsyncGenerator<CsvRow, void> {
  const { name = '' } = worksheet ?? {};
  if (format === 'ods' || format === 'html' || format === 'xml') {
    const { readMarkup } = await import('../sheet/read-markup.ts');
    for await (const row of readMarkup(path, { form: { format, encoding }, name: 'The file', signal })) {
      if (row.table !== name) continue;
      for (let copy = 0; copy < row.repeat; copy += 1) yield { ...row, line: row.line + copy };
    }
    return;
  }
  const { readWorksheet } = await import('../sheet/xlsx-reader.ts');
  const sheet = { worksheet: name, columns: columns?.length ?? 0, name: `worksheet "${name}"`, signal };
  yield* readWorksheet(path, sheet);
}

function createNdjsonReader() {
  let text = '';
  let line = 1;
  let isSkipping = false;
  return {
    write(chunk: string) {
      const lines = `${text}${chunk}`.split('\n');
      text = lines.pop() ?? '';
      const rows = lines.flatMap(takeLine);
      if (text.length <= maxRowLength) return rows;
      text = '';
      if (!isSkipping) rows.push(toUnreadableRow(line, 'The line is longer than 1 MiB.'));
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
    if (isRest || found.trim() === '') return [];
    try {
      return [toObjectRow(here, parseJson(found))];
    } catch (cause) {
      return [
        toUnreadableRow(here, `Not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}`),
      ];
    }
  }
}

function toObjectRow(line: number, value: unknown): UnnumberedRow {
  return isFields(value) ? { line, cells: value } : toUnreadableRow(line, 'Not a JSON object.');
}

/** A JSON document is parsed as a whole, in about ten times its size of memory. */
const maxBytes = 64 * 1_048_576;

/**
 * Reads a JSON document that is a list, or an object with one member that is a list of objects. Throws `usage` if it
 * is anything else, is not valid JSON, or is larger than 64 MiB. `name` is the file's name in messages. `member` holds
 * the list; null if the document itself is the list.
 */
export async function readJsonList(path: string, encoding: Encoding, name = path) {
  const { size } = await stat(path);
  if (size > maxBytes) {
    const megabytes = Math.ceil(size / 1_048_576);
    throw new SalonError('usage', `${name} is too large for JSON: ${megabytes} MB, the limit is 64 MB.`, {
      hint: 'Save it as NDJSON or CSV, which have no size limit.',
    });
  }
  let text = '';
  for await (const chunk of readText(path, encoding)) text += chunk;
  let document: unknown;
  try {
    document = parseJson(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SalonError('usage', `${name} is not valid JSON: ${reason}`, {
      hint: 'Fix the file. A JSON object on each line is read as NDJSON.',
      cause,
    });
  }
  const [list, ...others] = findLists(document);
  if (list === undefined) {
    throw new SalonError('usage', `${name} has no list of objects.`, {
      hint: 'Use [{…}, {…}], or an object that contains one such list.',
    });
  }
  if (others.length > 0) {
    const members = [list, ...others].map(({ member }) => member);
    throw new SalonError('usage', `${name} has more than one list: ${members.join(', ')}.`, {
      hint: 'Keep only the list of rows.',
    });
  }
  const lines = findObjectLines(text, list.member === null ? 1 : 2);
  let line = 1;
  const items = list.values.map((value) => {
    if (isFields(value)) line = lines.next().value ?? line;
    return { line, value };
  });
  return { member: list.member, items };
}

function findLists(document: unknown): { member: string | null; values: readonly unknown[] }[] {
  if (Array.isArray(document)) return [{ member: null, values: document }];
  if (!isFields(document)) return [];
  return Object.entries(document).flatMap(([member, values]) =>
    Array.isArray(values) && values.some(isFields) ? [{ member, values }] : [],
  );
}

/** The lines on which the objects begin that are in a list of this depth, in their order. */
function* findObjectLines(text: string, listDepth: number): Generator<number, undefined> {
  const open: string[] = [];
  let line = 1;
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}\n]/g)) {
    if (token === '\n') line += 1;
    else if (token === ']' || token === '}') open.pop();
    else if (token === '[' || token === '{') {
      if (token === '{' && open.length === listDepth && open.at(-1) === '[') yield line;
      open.push(token);
    }
  }
}
