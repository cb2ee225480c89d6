import { describe, expect, it } from 'vitest';
import { detectSheetForm } from '../../../src/bulk/input/detect-sheet.ts';
import type { AsideRow } from '../../../src/bulk/input/find-headings.ts';
import { readSheet } from '../../../src/bulk/input/read-sheet.ts';
import { newClient } from '../../../src/contract/client.ts';
import { collect } from '../../support/collect.ts';
import { makeWorkbook } from '../sheet/workbook.ts';
import { writeSheet } from './sheet-file.ts';

const options = { knownFields: Object.keys(newClient.properties), recognises: 'clients' } as const;

async function read(content: string | Uint8Array, chosen: { readonly worksheet?: string } = {}) {
  using file = writeSheet(content);
  const form = await detectSheetForm(file.path, { ...options, ...chosen, name: 'clients' });
  const asides: AsideRow[] = [];
  const rows = await collect(readSheet(file.path, form, undefined, (row) => asides.push(row)));
  return { form, rows: rows.map(({ line, cells }) => [line, ...Object.values(cells)]), asides };
}

function row(line: number, ...cells: readonly string[]): string {
  const texts = cells.map(
    (cell, index) => `<c r="${'ABC'[index]}${line}" t="inlineStr"><is><t>${cell}</t></is></c>`,
  );
  return `<row r="${line}">${texts.join('')}</row>`;
}

describe('the headings of a table', () => {
  it.each([
    [
      3,
      'Kundenliste Salon',
      'Kundenliste Salon\r\n\r\nVorname;Nachname;E-Mail\r\nAnna;Weber;a@b.example\r\n',
    ],
    [2, 'Clients, all of them', 'Clients, all of them\nVorname;Nachname;E-Mail\nAnna;Weber;a@b.example\n'],
    [
      4,
      'Client List Report',
      'Client List Report\nSalon Kranz;Printed 28.11.2026\n\nVorname;Nachname;E-Mail\nAnna;Weber;a@b.example\n',
    ],
    [3, 'Newsletter list', 'sep=;\nNewsletter list\nVorname;Nachname;E-Mail\nAnna;Weber;a@b.example\n'],
  ])('are on line %i below the title %j', async (headingLine, title, text) => {
    const { form, rows } = await read(text);
    expect(form).toMatchObject({
      headingLine,
      title,
      delimiter: ';',
      columns: ['Vorname', 'Nachname', 'E-Mail'],
    });
    expect(rows).toEqual([[headingLine + 1, 'Anna', 'Weber', 'a@b.example']]);
  });

  it.each([
    'Vorname;Unbekannt\nName;Telefon\n',
    'Kunde1;Kunde2;Kunde3\nAnna;Weber;Berg\n',
    'email\na@b.example\nc@d.example\n',
    'Tags;Lieblingsfarbe\nsms;email\n',
  ])('stay on the first line without a title: %j', async (text) => {
    const { form } = await read(text);
    expect([form.headingLine, form.title]).toEqual([1, undefined]);
  });

  it('are found in a worksheet below a title, with the lines of the worksheet', async () => {
    const rows = `${row(2, 'Clients')}${row(5, 'First name', 'Email')}${row(6, 'Nia', 'n@c.example')}${row(7, 'First name', 'Email')}${row(9, 'Total', '1')}`;
    const found = await read(makeWorkbook({ rows }));
    expect(found.form).toMatchObject({ headingLine: 5, title: 'Clients' });
    expect(found.rows).toEqual([[6, 'Nia', 'n@c.example']]);
    expect(found.asides).toEqual([
      { line: 7, text: 'First name' },
      { line: 9, text: 'Total' },
    ]);
  });
});
