import { SalonError } from '../../contract/errors.ts';
import { isWorksheet, readEntries, unpack } from './zip-entries.ts';

/**
 * Throws `usage` for a formula without a saved result, which would read as blank. Some programs write workbooks without
 * calculating. Call it after `assertUnpackedSize`. Worksheets over 128 MB, unpacked, are not searched.
 */
export function assertFormulasCalculated(file: Buffer, name: string): void {
  for (const entry of readEntries(file, name)) {
    if (!isWorksheet(entry.part) || entry.unpacked > searchedBytes) continue;
    const cell = findUncalculated(unpack(file, entry));
    if (cell === undefined) continue;
    throw new SalonError('usage', `Cell ${cell} of ${name} has a formula without a saved result.`, {
      hint: 'Open the file in a spreadsheet program and save it again, or save the values instead of formulas.',
    });
  }
}

const searchedBytes = 134_217_728;
const emptyResults = ['</f></c>', '</f><v/></c>', '</f><v /></c>', '</f><v></v></c>'];

function findUncalculated(sheet: Buffer): string | undefined {
  for (const ending of emptyResults) {
    for (let at = sheet.indexOf(ending); at !== -1; at = sheet.indexOf(ending, at + 1)) {
      const start = sheet.lastIndexOf('<c ', at);
      const tag = sheet.toString('latin1', start, sheet.indexOf('>', start));
      // A saved result may be an empty text.
      if (!/\bt="str"/.test(tag)) return /\br="([A-Z]+\d+)"/.exec(tag)?.[1] ?? 'unknown';
    }
  }
  return undefined;
}
