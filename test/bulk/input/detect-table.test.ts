import { describe, expect, it } from 'vitest';
import { detectSheetForm } from '../../../src/bulk/input/detect-sheet.ts';
import { newClient } from '../../../src/contract/client.ts';
import { writeSheet } from './sheet-file.ts';

const knownFields = Object.keys(newClient.properties);

async function detect(content: string, options = {}) {
  using file = writeSheet(content);
  return await detectSheetForm(file.path, {
    ...{ name: 'clients.xls', knownFields, recognises: 'clients' },
    ...options,
  });
}

/** An XML Spreadsheet 2003 with two rows in each worksheet. */
function workbook(
  sheets: readonly (readonly [name: string, headings: readonly string[], visible: string])[],
) {
  const row = (cells: readonly string[]) =>
    `<Row>${cells.map((cell) => `<Cell><Data ss:Type="String">${cell}</Data></Cell>`).join('')}</Row>`;
  const worksheets = sheets.map(
    ([name, headings, visible]) =>
      `<Worksheet ss:Name="${name}"><Table>${row(headings)}${row(headings.map(() => 'x'))}</Table><WorksheetOptions><Visible>${visible}</Visible></WorksheetOptions></Worksheet>`,
  );
  return `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">${worksheets.join('')}</Workbook>`;
}

describe('a worksheet', () => {
  const old = ['old', ['first_name', 'last_name', 'email'], 'SheetHidden'] as const;
  const people = ['people', ['first_name', 'city'], 'SheetVisible'] as const;

  it('is not chosen or offered if it is hidden, but may be named', async () => {
    const text = workbook([old, people]);
    expect(await detect(text)).toMatchObject({
      columns: ['first_name', 'city'],
      worksheet: { name: 'people', count: 2 },
    });
    expect((await detect(text)).worksheet).not.toHaveProperty('others');
    expect(await detect(text, { worksheet: 'old' })).toMatchObject({
      worksheet: { name: 'old', count: 2, others: ['people'] },
    });
  });

  it('is chosen although it is hidden if all are', async () => {
    expect(await detect(workbook([old]))).toMatchObject({ worksheet: { name: 'old', count: 1 } });
  });

  it.each([
    ['a CSV', 'first_name,last_name\nNia,Berg\n'],
    ['a card', 'BEGIN:VCARD\nVERSION:3.0\nFN:Nia Berg\nN:Berg;Nia\nEND:VCARD\n'],
    ['NDJSON', '{"first_name":"Nia"}\n'],
  ])('cannot be named in %s', async (_, text) => {
    await expect(detect(text, { worksheet: 'people' })).rejects.toMatchObject({
      code: 'usage',
      message: 'clients.xls has no worksheets or tables to choose from.',
      hint: 'Omit --sheet.',
    });
  });
});
