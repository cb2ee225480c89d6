import { describe, it } from 'vitest';
import type { VariedClient } from '../../support/varied-clients.ts';
import { toPart, zip } from '../../support/zip.ts';
import { bringThere } from './list-round-trip.ts';

describe('a list of clients', () => {
  it.each([
    ['Google CSV', 'contacts.csv', toGoogleCsv],
    ['HTML', 'list.xls', toHtml],
    ['XML Spreadsheet 2003', 'list.xls', toSpreadsheetMl],
    ['OpenDocument', 'list.ods', toOds],
  ])('as %s is added, is the same again, completed by a second one, and undone', async (_, name, render) => {
    await bringThere(name, render);
  });
});

function toGoogleCsv(clients: readonly VariedClient[]): string {
  const toCell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const labels = { mobile: 'Mobile', home: 'Home', work: 'Work' };
  const rows = clients.map(({ first_name, last_name, email, phones, birthday, notes, tags }) => [
    ...[first_name, '', last_name, birthday === null ? '' : birthday.replace(/^--/, ' --'), notes ?? ''],
    [...tags, '* myContacts'].join(' ::: '),
    ...(email === null ? ['', ''] : ['* Home', email]),
    ...[0, 1, 2].flatMap((index) => {
      const phone = phones[index];
      return phone === undefined ? ['', ''] : [labels[phone.kind], phone.number];
    }),
  ]);
  const phones = [1, 2, 3].flatMap((index) => [`Phone ${index} - Label`, `Phone ${index} - Value`]);
  const headings = [
    ...['First Name', 'Middle Name', 'Last Name', 'Birthday', 'Notes', 'Labels'],
    ...['E-mail 1 - Label', 'E-mail 1 - Value', ...phones],
  ];
  return [headings, ...rows].map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('');
}

const headings = ['Vorname', 'Nachname', 'E-Mail', 'Handy', 'Telefon', 'Geburtstag', 'Notizen', 'Gruppen'];

/** The cells of a client: one number of each kind of phones. */
function toCells({ first_name, last_name, email, phones, birthday, notes, tags }: VariedClient) {
  const numberOf = (kind: string) => phones.find((phone) => phone.kind === kind)?.number;
  const phone = numberOf('home') ?? numberOf('work') ?? '';
  return {
    texts: [first_name, last_name, email ?? '', numberOf('mobile') ?? '', phone],
    birthday,
    rest: [notes ?? '', tags.join(';')],
  };
}

const toShownDay = (birthday: string) =>
  birthday.replace(/^(.*)-(\d\d)-(\d\d)$/, '$3.$2.$1').replace(/-$/, '');

const escapeXml = (text: string) => text.replace(/[<&>]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** As programs of the web write what they call Excel. */
function toHtml(clients: readonly VariedClient[]): string {
  const toRow = (cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<td style="mso-number-format:'\\@'">${cell}</td>`).join('\n')}</tr>\n`;
  const toText = (text: string) =>
    escapeXml(text)
      .replaceAll('\n', '<br>\n')
      .replace(/ (?= )/g, '&nbsp;');
  const rows = clients.map((client) => {
    const { texts, birthday, rest } = toCells(client);
    return toRow([...texts, birthday === null ? '\u00A0' : toShownDay(birthday), ...rest].map(toText));
  });
  return `<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"></head><body><table border="1"><thead>${toRow(headings)}</thead><tbody>${rows.join('')}</tbody></table></body></html>`;
}

/** In a year that is not shown, as Excel saves what is typed without one. */
const withYear = (birthday: string) => birthday.replace(/^-/, '2024');

function toSpreadsheetMl(clients: readonly VariedClient[]): string {
  const toCell = (text: string, column: number) =>
    text === ''
      ? ''
      : `<Cell ss:Index="${column + 1}"><Data ss:Type="String">${escapeXml(text).replaceAll('\n', '&#10;')}</Data></Cell>`;
  const rows = clients.map((client) => {
    const { texts, birthday, rest } = toCells(client);
    const style = birthday?.startsWith('-') ? ' ss:StyleID="yearless"' : '';
    const day =
      birthday === null
        ? ''
        : `<Cell ss:Index="6"${style}><Data ss:Type="DateTime">${withYear(birthday)}T00:00:00.000</Data></Cell>`;
    return `<Row>${texts.map(toCell).join('')}${day}${rest.map((text, index) => toCell(text, index + 6)).join('')}</Row>`;
  });
  const styles = ['yearless" ss:Parent="day', 'day'].map(
    (id, index) =>
      `<Style ss:ID="${id}"><NumberFormat ss:Format="${['d\\-mmm', 'Short Date'][index]}"/></Style>`,
  );
  return `<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Styles>${styles.reverse().join('')}</Styles><Worksheet ss:Name="Kunden"><Table><Column ss:Index="6" ss:StyleID="day"/><Row>${headings.map(toCell).join('')}</Row>${rows.join('')}</Table></Worksheet></Workbook>`;
}

function toOds(clients: readonly VariedClient[]): Buffer {
  const toText = (text: string) =>
    escapeXml(text)
      .replace(/ (?= )/g, '<text:s/>')
      .split('\n')
      .map((line) => `<text:p>${line}</text:p>`)
      .join('');
  const toCell = (text: string) =>
    text === ''
      ? '<table:table-cell/>'
      : `<table:table-cell office:value-type="string">${toText(text)}</table:table-cell>`;
  const rows = clients.map((client) => {
    const { texts, birthday, rest } = toCells(client);
    const day =
      birthday === null
        ? toCell('')
        : `<table:table-cell office:value-type="date" office:date-value="${withYear(birthday)}">${toText(toShownDay(birthday))}</table:table-cell>`;
    return `<table:table-row>${texts.map(toCell).join('')}${day}${rest.map(toCell).join('')}<table:table-cell table:number-columns-repeated="16376"/></table:table-row>`;
  });
  const content = `<?xml version="1.0" encoding="UTF-8"?><office:document-content><office:body><office:spreadsheet><table:table table:name="Kunden"><table:table-row>${headings.map(toCell).join('')}</table:table-row>${rows.join('')}</table:table></office:spreadsheet></office:body></office:document-content>`;
  const mimetype = toPart('mimetype', 'application/vnd.oasis.opendocument.spreadsheet');
  return zip([
    { ...mimetype, data: Buffer.from('application/vnd.oasis.opendocument.spreadsheet') },
    toPart('content.xml', content),
  ]);
}
