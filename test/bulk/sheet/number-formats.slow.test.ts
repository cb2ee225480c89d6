import { beforeAll, describe, expect, it } from 'vitest';
import { toAddress } from '../../../src/bulk/sheet/cell-text.ts';
import { readWorksheet } from '../../../src/bulk/sheet/xlsx-reader.ts';
import { collect } from '../../support/collect.ts';
import { hasLibreOffice } from '../../support/libreoffice.ts';
import { showWithLibreOffice } from '../input/libreoffice.ts';
import { writeSheet } from '../input/sheet-file.ts';
import { makeWorkbook } from './workbook.ts';

const shown = [
  ...['0', '00000', '"+"0', '\\+0', '+0', '[$+]0', '0000 000000', '0000\\ 000000', '"K-"00000', 'K\\-00000'],
  ...['00000_-', '_-00000', '000_-000', '_(0_)', '0_-;-0_-', '0;-0', '0;;', '00000;-00000', '00000;[Red]-0'],
  ...[
    '[$-407]00000',
    '[Red]00000',
    '00000;@',
    '000-000-000',
    '000\\-000',
    '(000) 000-0000',
    '00\\:00',
    '0:00',
  ],
  ...[
    '0" Std."',
    '0\\ [$Std.]',
    '0 "min"',
    '0"h"',
    '"d"0',
    '0"%"',
    '0"."000',
    '0\\.000',
    '\\00',
    '"0"0',
    '"№ "0',
  ],
  ...['0000\\-00\\-00', '0"a;b"0', '0"日"', '00 00 00 00 00', '"A"0"B"0"C"', '00000;00000;00000', '0"_"0'],
];
const kept = [
  ...['0.00', '#,##0', '# ##0', '0%', '0.0E+00', '# ?/?', ';;;', '"a"', '0,', '[>5]00000;0'],
  ...['[$Din.-81A]#,##0.00', '[$Din.-81A] 0', '#,##0.00\\ [$Din.-81A]', 'General', '@'],
];
const durations = ['[hh]:mm', '[hh]:mm:ss', 'hh:mm', '[hh]:mm;@'];
const days = ['yyyy-mm-dd', 'yyyy\\-mm\\-dd;@', '[$-409]yyyy\\-mm\\-dd'];

const owned = [42, 1234567, 491715550101, -42, 1.5];

/** Workbooks of all formats and values. */
const tables = {
  numbers: { formats: shown, values: [1, 42, 60, 1234567, 19850315, 491715550101] },
  zeros: { formats: shown.filter((format) => !format.includes(';;')), values: [0] },
  kept: { formats: kept, values: owned },
  times: { formats: durations, values: [0.0625, 0.75, 0.5] },
  days: { formats: days, values: [61, 366, 31120, 46802, 2958465] },
};

type Table = keyof typeof tables;
type Cells = readonly (readonly (string | undefined)[])[];

function makeTable({ formats, values }: (typeof tables)[Table]): Buffer {
  const rows = formats.map((_, row) => {
    const cells = values.map(
      (value, index) => `<c r="${toAddress(index, row + 1)}" s="${row + 2}"><v>${value}</v></c>`,
    );
    return `<row r="${row + 1}">${cells.join('')}</row>`;
  });
  return makeWorkbook({ rows: rows.join(''), formats });
}

describe.runIf(hasLibreOffice)('a cell that LibreOffice opens', () => {
  /** What each workbook is read as, and what LibreOffice shows of it. */
  const found = new Map<string, { readonly read: Cells; readonly office: Cells }>();
  beforeAll(async () => {
    const workbooks = Object.values(tables).map(makeTable);
    const offices = showWithLibreOffice(workbooks);
    for (const [index, [name, { formats, values }]] of Object.entries(tables).entries()) {
      using sheet = writeSheet(workbooks[index] ?? Buffer.of());
      const read = await collect(
        readWorksheet(sheet.path, { worksheet: 'clients', columns: values.length, name: 'x' }),
      );
      found.set(name, {
        read: read.map(({ cells }, row) => [formats[row], ...cells]),
        office: (offices[index] ?? []).map((cells, row) => [
          formats[row],
          ...cells.map((cell) => cell.trim()),
        ]),
      });
    }
  });
  const show = (table: Table) => found.get(table) ?? { read: [], office: [] };

  it('is read in every workbook', () => {
    for (const [name, { formats }] of Object.entries(tables))
      expect(found.get(name)?.read).toHaveLength(formats.length);
  });

  it('shows the same whole number in every format of zeros, texts and blanks', () => {
    const { read, office } = show('numbers');
    expect(read).toEqual(office);
  });

  it('shows the same zero, where no section hides it', () => {
    const { read, office } = show('zeros');
    expect(read).toEqual(office);
  });

  it('has its own number where the format rounds, groups, hides or chooses', () => {
    const { read, office } = show('kept');
    expect(read).toEqual(kept.map((format) => [format, ...owned.map(String)]));
    expect(office).not.toEqual(read);
  });

  it('shows the same time and day', () => {
    const times = show('times');
    expect(times.read.map(([, ...cells]) => cells)).toEqual(
      times.office.map((cells) => cells.slice(1).map((cell = '') => cell.replace(/(:\d\d):00$/, '$1'))),
    );
    const { read, office } = show('days');
    expect(read).toEqual(office);
  });
});
