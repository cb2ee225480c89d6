import { Parser } from 'htmlparser2';
import {
  assertDepth,
  createMarkupRows,
  type MarkupRow,
  type MarkupRows,
  type OpenCell,
  toCount,
} from './markup-rows.ts';
import { readShownNumber } from './number-formats.ts';
import { maxRowLength } from './sheet-form.ts';

/** Elements whose text is not shown, or is shown above another text. LibreOffice writes a note as `comment`. */
const hiddenElements = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'select',
  'textarea',
  'rt',
  'rp',
  'comment',
]);
/** Elements that are shown on lines of their own. */
const blocks = new Set(['p', 'div', 'li', 'ul', 'ol', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'tr', 'table']);

interface OpenTable {
  readonly rows: MarkupRows;
  cell: OpenCell | undefined;
  nextColumn: number;
  /** The number that the open cell shows, if a program has saved it. */
  value: string | undefined;
}

/**
 * Reads the tables of an HTML page, those in cells of others, too. A cell has the text that is shown: `<br>` is a line break,
 * `&nbsp;` a blank, and an inner table is also a part of the cell that it is in.
 */
export function createHtmlReader(emit: (row: MarkupRow) => void) {
  const page = { hasPassword: false, title: '', isCut: () => isCut || tables.length > 0 };
  let isCut = false;
  const tables: OpenTable[] = [];
  let [count, depth, hiddenFrom, titles] = [0, 0, 0, 0];

  function closeCell(table: OpenTable | undefined): void {
    if (table?.cell === undefined) return;
    const { value } = table;
    const text = toShown(table.cell.text);
    table.rows.add({
      ...table.cell,
      text: value === undefined ? text : readShownNumber(text, Number(value)),
    });
    table.cell = undefined;
  }

  function closeRow(table: OpenTable | undefined): void {
    closeCell(table);
    table?.rows.closeRow();
  }

  function openRow(table: OpenTable): void {
    table.rows.openRow();
    table.nextColumn = 0;
  }

  function write(text: string): void {
    for (const { cell } of tables)
      if (cell !== undefined && cell.text.length <= maxRowLength) cell.text += text;
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      assertDepth(depth);
      if (hiddenFrom === 0 && isHidden(name, attributes)) hiddenFrom = depth;
      if (name === 'input' && attributes['type']?.toLowerCase() === 'password') page.hasPassword = true;
      if (name === 'br') write('\n');
      else if (blocks.has(name)) write('\v');
      if (name === 'title') titles += 1;
      if (name === 'table') {
        count += 1;
        const rows = createMarkupRows(`table ${count}`, emit);
        tables.push({ rows, cell: undefined, nextColumn: 0, value: undefined });
      }
      const table = tables.at(-1);
      if (table === undefined) return;
      if (name === 'tr') {
        closeRow(table);
        openRow(table);
      } else if (name === 'td' || name === 'th') {
        closeCell(table);
        if (!table.rows.hasRow) openRow(table);
        const width = Math.min(toCount(attributes['colspan']), 1_000);
        const height = toCount(attributes['rowspan']);
        const column = table.rows.nextColumn(table.nextColumn);
        table.cell = { text: '', column };
        // LibreOffice, Excel, SheetJS.
        table.value =
          attributes['sdval'] ||
          attributes['x:num'] ||
          (attributes['data-t'] === 'n' ? attributes['data-v'] : undefined);
        table.nextColumn = column + width;
        table.rows.cover({ column, width, height });
      }
    },
    onclosetag(name, isImplied) {
      if (depth === hiddenFrom) hiddenFrom = 0;
      depth -= 1;
      if (name === 'title') titles += 1;
      if (name === 'td' || name === 'th') closeCell(tables.at(-1));
      else if (name === 'tr') closeRow(tables.at(-1));
      else if (name === 'table') {
        closeRow(tables.at(-1));
        tables.pop();
        isCut ||= isImplied;
      }
      if (blocks.has(name)) write('\v');
      else if (name === 'td' || name === 'th') write(' ');
    },
    ontext(text) {
      // The title of the page, not of a picture in it.
      if (titles === 1 && page.title.length < 200) page.title += text.trim();
      if (hiddenFrom === 0 && tables.length > 0) write(text.replace(/[ \t\r\n\f\v]+/g, ' '));
    },
  });
  return { parser, page };
}

/** Hidden rows and cells are read, as those of a workbook are; a sort key in a cell is not. */
function isHidden(name: string, { style = '', hidden }: Readonly<Record<string, string>>): boolean {
  if (hiddenElements.has(name)) return true;
  return (
    !/^(?:table|t[drh]|tbody|thead|tfoot)$/.test(name) &&
    (hidden !== undefined || /\bdisplay:\s*none/i.test(style))
  );
}

/** Blanks as they are shown; what is on a line of its own follows one line break. */
function toShown(text: string): string {
  if (!/[\s\u00A0]/.test(text)) return text;
  return text
    .replace(/ {2,}/g, ' ')
    .replace(/ *(?:\v ?)+/g, '\v')
    .replace(/^\v|\v$/g, '')
    .replace(/\v/g, '\n')
    .replaceAll('\u00A0', ' ')
    .replace(/ *\n */g, '\n')
    .trim();
}
