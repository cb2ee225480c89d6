import { createCsvRows } from './csv-rows.ts';
import { createJsonRows } from './json-rows.ts';
import { createNdjsonRows } from './ndjson-rows.ts';
import { readText } from './read-text.ts';
import type { RowReader } from './row-reader.ts';
import type { SheetForm, SheetRow } from './sheet-form.ts';

/**
 * The rows of a sheet in their order, in bounded memory. Blank ones are passed over; what is wrong with a row is in
 * its `fault`.
 */
export async function* readSheet(path: string, form: SheetForm): AsyncGenerator<SheetRow, void> {
  const reader = createReader(form);
  let number = 0;
  for await (const piece of readText(path, form)) {
    for (const row of reader.write(piece)) yield { number: ++number, ...row };
  }
  for (const row of reader.end()) yield { number: ++number, ...row };
}

function createReader(form: SheetForm): RowReader {
  if (form.format === 'csv') return createCsvRows(form);
  return form.format === 'json' ? createJsonRows() : createNdjsonRows();
}
