import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detectSheetForm } from '../../../src/bulk/input/detect-sheet.ts';
import { readSheet } from '../../../src/bulk/input/read-sheet.ts';
import { collect } from '../../support/collect.ts';
import { runLibreOffice } from '../../support/libreoffice.ts';
import { writeSheet } from './sheet-file.ts';

/** How people of a country open and save a CSV in LibreOffice. */
export interface Locale {
  readonly name: string;
  /** As its filters number languages and character sets. */
  readonly language: number;
  readonly delimiter: ',' | ';' | '\t';
  readonly characterSet: number;
  readonly encoding: 'utf-8' | 'windows-1252' | 'utf-16le';
}

export const locales: readonly Locale[] = [
  {
    name: 'en',
    language: 1033,
    delimiter: ',',
    characterSet: 76,
    encoding: 'utf-8',
  },
  {
    name: 'de',
    language: 1031,
    delimiter: ';',
    characterSet: 1,
    encoding: 'windows-1252',
  },
  {
    name: 'fr',
    language: 1036,
    delimiter: '\t',
    characterSet: 65535,
    encoding: 'utf-16le',
  },
];

/** What LibreOffice saves as CSV of a spreadsheet that was opened from an export for Excel. */
export function saveWithLibreOffice({ language, delimiter, characterSet }: Locale): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'salon-soffice-'));
  const exported = [
    '\uFEFFid,first_name,notes,birthday,email_marketing_consent,tags',
    `cli_1,Jürgen,"Line one\nline ""two""; with, marks",1990-05-01,TRUE,vip;new`,
    `cli_2,Zoë,'=1+1,,FALSE,`,
    `cli_3,€,"5"" nail",,,it's`,
  ];
  const columnTypes = '1/2/2/2/3/2/4/5/5/1/6/2';
  const token = delimiter.charCodeAt(0);
  try {
    writeFileSync(join(folder, 'clients.csv'), exported.map((line) => `${line}\r\n`).join(''));
    const opened = `Text - txt - csv (StarCalc):44,34,76,1,${columnTypes},${language},false,true`;
    runLibreOffice(['--convert-to', 'ods', `--infilter=${opened}`, 'clients.csv'], folder);
    const saved = `Text - txt - csv (StarCalc):${token},34,${characterSet},1,,${language},false,true`;
    runLibreOffice(['--convert-to', `csv:${saved}`, 'clients.ods'], folder);
    return readFileSync(join(folder, 'clients.csv'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What LibreOffice shows in the cells of the first worksheet of each workbook. */
export function showWithLibreOffice(
  workbooks: readonly Buffer[],
): readonly (readonly (readonly string[])[])[] {
  const folder = mkdtempSync(join(tmpdir(), 'salon-soffice-'));
  try {
    const names = workbooks.map((_, index) => `shown-${index}`);
    for (const [index, workbook] of workbooks.entries()) {
      writeFileSync(join(folder, `${names[index]}.xlsx`), workbook);
    }
    const saved = 'Text - txt - csv (StarCalc):9,34,76,1,,1033,false,true';
    runLibreOffice(['--convert-to', `csv:${saved}`, ...names.map((name) => `${name}.xlsx`)], folder);
    return names.map((name) => {
      const lines = readFileSync(join(folder, `${name}.csv`), 'utf8')
        .trimEnd()
        .split('\n');
      return lines.map((line) => line.split('\t'));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How a sheet is detected, and its rows. */
export async function readSaved(content: Buffer) {
  using file = writeSheet(content);
  const form = await detectSheetForm(file.path, { isGuarded: true });
  return { form, rows: await collect(readSheet(file.path, form)) };
}

/** What LibreOffice saved when the fixtures were made. */
export function readFixture({ name }: Locale): Buffer {
  return readFileSync(new URL(`fixtures/libreoffice-${name}.csv`, import.meta.url));
}
