import type { Column, Printer, Row } from './columns.ts';

export interface JsonOptions {
  /** The members to print, in this order; every member as it came when left out. */
  readonly columns?: readonly Column[];
}

/** One JSON document: an array with a record on each line, valid however many pages come. */
export function createJsonPrinter({ columns }: JsonOptions = {}): Printer {
  const render = createRenderer(columns);
  let empty = true;
  return {
    begin: () => '[',
    rows(rows) {
      if (rows.length === 0) return '';
      const start = empty ? '\n' : ',\n';
      empty = false;
      return start + rows.map(render).join(',\n');
    },
    end: () => (empty ? ']\n' : '\n]\n'),
  };
}

/** A JSON document a line, a line a record. */
export function createNdjsonPrinter({ columns }: JsonOptions = {}): Printer {
  const render = createRenderer(columns);
  return {
    begin: () => '',
    rows: (rows) => rows.map((row) => `${render(row)}\n`).join(''),
    end: () => '',
  };
}

function createRenderer(columns: readonly Column[] | undefined): (row: Row) => string {
  if (columns === undefined) return (row) => JSON.stringify(row);
  return (row) => JSON.stringify(Object.fromEntries(columns.map(({ key }) => [key, row[key] ?? null])));
}
