import { Parser } from 'htmlparser2';
import { xlsxLimits } from './cell-text.ts';
import {
  assertDepth,
  createMarkupRows,
  type MarkupRow,
  type MarkupRows,
  type OpenCell,
  toCount,
} from './markup-rows.ts';
import {
  parseNumberFormat,
  readShownNumber,
  type ShowNumber,
  toAllDigits,
  toElapsed,
  toLocalTime,
  toSerial,
} from './number-formats.ts';
import { maxRowLength } from './sheet-form.ts';

type Attributes = Readonly<Record<string, string>>;

/** What a format of spreadsheets in XML does with the elements and texts of a file. */
interface Dialect {
  /** `parents` has the names of the elements that it is in, the innermost last. */
  open(name: string, attributes: Attributes, parents: readonly string[]): void;
  close(name: string, parents: readonly string[]): void;
  text(text: string): void;
}

/** Reads a spreadsheet in XML. Prefixes of names are left out. */
function createXmlReader({ open, close, text }: Dialect) {
  const parents: string[] = [];
  const toLocal = (name: string) => name.slice(name.indexOf(':') + 1);
  const parser = new Parser(
    {
      onopentag(name, given) {
        const attributes = Object.entries(given).map(([key, value]) => [toLocal(key), value]);
        const local = toLocal(name);
        open(local, Object.fromEntries(attributes), parents);
        parents.push(local);
        assertDepth(parents.length);
      },
      onclosetag() {
        close(parents.pop() ?? '', parents);
      },
      ontext: text,
    },
    { xmlMode: true },
  );
  return { parser, page: { isCut: () => parents.length > 0 } };
}

/** Reads XML Spreadsheet 2003: numbers have the digits that their format shows, days and times are ISO. */
export function createSpreadsheetMlReader(emit: (row: MarkupRow) => void, hide: (table: string) => void) {
  const formats = new Map<string, ShowNumber | undefined>();
  /** Styles of the columns of a table. */
  const columns = new Map<number, string>();
  let rows: MarkupRows | undefined;
  let cell: OpenCell | undefined;
  let [style, cellStyle, type, nextColumn, countsFrom1904, reads] = ['', '', '', 0, false, ''];
  let [tableStyle, rowStyle] = ['', ''];

  function toShown(data: string): string {
    const show = formats.get(cellStyle);
    if (type === 'DateTime') return show?.(toSerial(data, countsFrom1904)) ?? toLocalTime(data);
    if (type === 'Boolean') return data.trim() === '1' ? 'true' : 'false';
    const value = Number(data);
    if (type !== 'Number' || data.trim() === '' || !Number.isFinite(value)) return data;
    return show?.(value) ?? toAllDigits(value);
  }

  return createXmlReader({
    open(name, attributes, parents) {
      const parent = parents.at(-1);
      const { ID: id = '', Format: code = '', StyleID: styleId = '', Index: index } = attributes;
      if (name === 'Style') {
        style = id;
        formats.set(style, formats.get(attributes['Parent'] ?? 'Default'));
      } else if (name === 'NumberFormat')
        formats.set(style, parseNumberFormat('', toCode(code), countsFrom1904));
      else if (name === 'Date1904') countsFrom1904 = true;
      else if (name === 'Worksheet') rows = createMarkupRows(attributes['Name'] ?? '', emit);
      else if (name === 'Table') {
        columns.clear();
        [tableStyle, nextColumn] = [styleId, 0];
      } else if (name === 'Column') {
        const column = index === undefined ? nextColumn : toCount(index) - 1;
        nextColumn = column + 1 + toMore(attributes['Span']);
        for (let at = column; at < Math.min(nextColumn, xlsxLimits.columns); at += 1)
          columns.set(at, styleId);
      } else if (name === 'Row') {
        rows?.openRow({ at: toCount(index), skipped: toMore(attributes['Span']) });
        [rowStyle, nextColumn] = [styleId, 0];
      } else if (name === 'Cell' && parent === 'Row') {
        cell = { text: '', column: index === undefined ? nextColumn : toCount(index) - 1 };
        nextColumn = cell.column + 1 + toMore(attributes['MergeAcross']);
        cellStyle = styleId || rowStyle || columns.get(cell.column) || tableStyle || 'Default';
        type = '';
      } else if (name === 'Data' && parent === 'Cell') type = attributes['Type'] ?? '';
      if (name === 'Data' || name === 'Visible') reads = parent === 'Comment' ? '' : name;
    },
    close(name) {
      if (name === 'Data' || name === 'Visible') reads = '';
      else if (name === 'Cell' && cell !== undefined) {
        rows?.add({ ...cell, text: toShown(cell.text) });
        cell = undefined;
      } else if (name === 'Row') rows?.closeRow();
    },
    text(text) {
      if (reads === 'Visible' && text.includes('Hidden')) hide(rows?.table ?? '');
      if (reads === 'Data' && cell !== undefined && cell.text.length <= maxRowLength) cell.text += text;
    },
  });
}

/** The code of a format that may have a name, such as `Short Date` or `Euro Currency`. */
function toCode(format: string): string {
  const [, name] =
    /^(?:(?:General|Long|Medium|Short) )?([A-Z][a-z]+)(?:[ /][A-Z][a-z]+)?$/.exec(format) ?? [];
  if (name === undefined) return format;
  return name === 'Date' ? 'd' : name === 'Time' ? 'h:mm' : '';
}

/** What lies in or above a cell and is no part of its text. */
const asides = new Set(['annotation', 'frame', 'custom-shape', 'note', 'ruby-text']);

/** Reads the `content.xml` of an .ods: a cell has the text that is shown, a day is ISO. */
export function createOdsReader(emit: (row: MarkupRow) => void, hide: (table: string) => void) {
  /** Styles of hidden tables. */
  const hidden = new Set<string>();
  let style = '';
  let rows: MarkupRows | undefined;
  let cell: (OpenCell & { readonly attributes: Attributes; paragraphs: number }) | undefined;
  let [nextColumn, asideDepth, isReading, hasBlank] = [0, 0, false, false];

  function write(text: string): void {
    if (isReading && asideDepth === 0 && cell !== undefined && cell.text.length <= maxRowLength)
      cell.text += text;
    hasBlank = false;
  }

  return createXmlReader({
    open(name, attributes, parents) {
      const parent = parents.at(-1);
      if (asides.has(name)) asideDepth += 1;
      if (name === 'style') style = attributes['name'] ?? '';
      else if (name === 'table-properties' && attributes['display'] === 'false') hidden.add(style);
      else if (name === 'table' && parent === 'spreadsheet') {
        rows = createMarkupRows(attributes['name'] ?? '', emit);
        if (hidden.has(attributes['style-name'] ?? '')) hide(rows.table);
      } else if (name === 'table-row' && cell === undefined) {
        rows?.openRow({ copies: toCount(attributes['number-rows-repeated']) });
        nextColumn = 0;
      } else if (/^(?:covered-)?table-cell$/.test(name) && parent === 'table-row') {
        const copies = toCount(attributes['number-columns-repeated']);
        cell = { text: '', column: nextColumn, copies, attributes, paragraphs: 0 };
        nextColumn += copies;
      } else if (name === 'p' && parent === 'table-cell' && cell !== undefined) {
        isReading = true;
        if (cell.paragraphs > 0) write('\n');
        cell.paragraphs += 1;
      } else if (name === 's') write(' '.repeat(Math.min(toCount(attributes['c']), maxRowLength)));
      else if (name === 'tab') write('\t');
      else if (name === 'line-break') write('\n');
    },
    close(name, parents) {
      const parent = parents.at(-1);
      if (asides.has(name)) asideDepth -= 1;
      if (name === 'p' && parent === 'table-cell') isReading = false;
      else if (/^(?:covered-)?table-cell$/.test(name) && parent === 'table-row' && cell !== undefined) {
        rows?.add({ ...cell, text: toOdsText(cell.text, cell.attributes) });
        cell = undefined;
      } else if (name === 'table-row' && cell === undefined) rows?.closeRow();
      else if (name === 'table' && parent === 'spreadsheet') rows = undefined;
    },
    text(text) {
      const tidy = text.replace(/[ \t\r\n]+/g, ' ');
      write(hasBlank ? tidy.replace(/^ /, '') : tidy);
      hasBlank = tidy.endsWith(' ');
    },
  });
}

const isoTime = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,]\d+)?S)?$/;

function toOdsText(shown: string, attributes: Attributes): string {
  const { 'value-type': type, value, 'date-value': date = '', 'time-value': time = '' } = attributes;
  const parts: readonly string[] = shown.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (
    type === 'date' &&
    shown !== '' &&
    parts.length === 2 &&
    parts.some((part) => Number(part) === Number(date.slice(8, 10)))
  )
    return `-${date.slice(4, 10)}`;
  const hasYear = [date.slice(0, 4), date.slice(2, 4)].some((year) => parts.includes(year));
  if (type === 'date' && (shown === '' || hasYear)) return toLocalTime(date);
  // A format such as `mm:ss` leaves out the hours.
  const [found, hours = 0, minutes = 0, seconds = 0] = isoTime.exec(time) ?? [];
  if (type === 'time' && found !== undefined)
    return toElapsed((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400) ?? shown;
  if (type === 'boolean') return attributes['boolean-value'] ?? shown;
  if (value !== undefined) return readShownNumber(shown, Number(value));
  return shown === '' ? (attributes['string-value'] ?? '') : shown;
}

/** A whole number of 0 or more. */
function toMore(text: string | undefined): number {
  return text === undefined || !(Number(text) >= 1) ? 0 : toCount(text);
}
