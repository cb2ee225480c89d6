import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectSheetForm } from '../../../src/bulk/input/detect-sheet.ts';
import { readSheet } from '../../../src/bulk/input/read-sheet.ts';
import { delimiters, type SheetForm, type SheetRow } from '../../../src/bulk/sheet/sheet-form.ts';
import { createSheetWriter } from '../../../src/bulk/sheet/sheet-text.ts';
import { nastyText } from '../../cli/output/rows.ts';
import { collect } from '../../support/collect.ts';
import { countBySpeed } from '../../support/speed.ts';
import { plainCsv, writeSheet } from '../input/sheet-file.ts';

type Cells = SheetRow['cells'];

async function write(form: SheetForm, rows: readonly Cells[]): Promise<Buffer> {
  const writer = await createSheetWriter(form);
  return Buffer.concat([await writer.begin(), await writer.rows(rows), await writer.end()]);
}

async function readBack(form: SheetForm, rows: readonly Cells[]) {
  using file = writeSheet(await write(form, rows));
  return (await collect(readSheet(file.path, form))).map(({ cells, problem }) => problem ?? cells);
}

const layout = fc.record({
  lineEnd: fc.constantFrom('\n' as const, '\r\n' as const, '\r' as const),
  delimiter: fc.constantFrom(...delimiters),
  hasSeparatorLine: fc.boolean(),
  isGuarded: fc.boolean(),
  hasByteOrderMark: fc.boolean(),
});

/** The first cell is not blank: blank rows are skipped. */
function rowsOf(text: fc.Arbitrary<string>) {
  return fc.array(fc.record({ id: text.map((rest) => `x${rest}`), first_name: text }), { maxLength: 5 });
}

const windowsText = fc.string({ unit: fc.constantFrom(...'aÿ€ž\u0081\t\r\n"\',;|=+-@\\'), maxLength: 12 });

describe('createSheetWriter', () => {
  it.each([
    ['utf-8', nastyText.map((text) => text.toWellFormed())],
    ['utf-16le', nastyText.map((text) => text.toWellFormed())],
    ['utf-16be', nastyText.map((text) => text.toWellFormed())],
    ['windows-1252', windowsText],
  ] as const)('writes a CSV in %s that is read back unchanged', async (encoding, text) => {
    await fc.assert(
      fc.asyncProperty(layout, rowsOf(text), async (chosen, rows) => {
        const form = { ...plainCsv, ...chosen, encoding, headingLine: chosen.hasSeparatorLine ? 2 : 1 };
        expect(await readBack(form, rows)).toEqual(rows);
      }),
      { numRuns: countBySpeed(150) },
    );
  });

  it.each([
    ['ndjson', null],
    ['json', null],
    ['json', 'data'],
  ] as const)('writes %s (list in %s) that is read back unchanged', async (format, member) => {
    const form: SheetForm = { ...plainCsv, format, member, delimiter: null, columns: null };
    const row = fc.dictionary(nastyText, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async (rows) => {
        const plain: Cells[] = JSON.parse(JSON.stringify(rows));
        expect(await readBack(form, plain)).toEqual(plain);
      }),
      { numRuns: countBySpeed(150) },
    );
  });

  it('writes a format that is detected again', async () => {
    const rows = [{ id: 'cli_1', first_name: "'=Zoë" }];
    await fc.assert(
      fc.asyncProperty(
        layout,
        fc.constantFrom('utf-8' as const, 'utf-16le' as const, 'windows-1252' as const),
        async (chosen, encoding) => {
          const hasByteOrderMark = chosen.hasByteOrderMark && encoding !== 'windows-1252';
          const headingLine = chosen.hasSeparatorLine ? 2 : 1;
          const form = { ...plainCsv, ...chosen, encoding, hasByteOrderMark, headingLine };
          using file = writeSheet(await write(form, rows));
          expect(await detectSheetForm(file.path, { isGuarded: form.isGuarded })).toEqual(form);
        },
      ),
      { numRuns: countBySpeed(100) },
    );
  });

  it('writes null and lists like an export', async () => {
    const text = String(await write(plainCsv, [{ id: null, first_name: ['a', 'b;c'] }]));
    expect(text).toBe('id,first_name\n,a;b\\;c\n');
  });

  it('writes ? for characters that Windows-1252 does not have', async () => {
    const form: SheetForm = { ...plainCsv, encoding: 'windows-1252' };
    expect((await write(form, [{ id: '漢', first_name: 'ä' }])).at(-4)).toBe(63);
  });
});
