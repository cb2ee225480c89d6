import { readMarkup } from '../../../src/bulk/sheet/read-markup.ts';
import { collect } from '../../support/collect.ts';
import { writeSheet } from '../input/sheet-file.ts';

type Format = 'html' | 'xml' | 'ods';

/** The rows of all tables of a file: the table with the line, the cells, and what is wrong. */
export async function readTables(content: string | Buffer, format: Format) {
  using file = writeSheet(content);
  const form = { format, encoding: 'utf-8' } as const;
  const hidden: string[] = [];
  const onHidden = (table: string) => hidden.push(table);
  const rows = await collect(readMarkup(file.path, { form, name: 'clients', onHidden }));
  return rows.map(({ table, line, repeat, cells, problem }) => [
    ...[`${table}:${line}${repeat > 1 ? `×${repeat}` : ''}`, ...cells],
    ...(problem === undefined ? [] : [problem]),
    ...(hidden.includes(table) ? ['hidden'] : []),
  ]);
}
