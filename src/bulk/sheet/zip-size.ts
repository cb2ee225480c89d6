import { SalonError } from '../../contract/errors.ts';
import { isWorksheet, readEntries, unpack, type ZipEntry } from './zip-entries.ts';

/** A worksheet is read in parts, but the texts that cells share are held in memory. */
const limits = { worksheet: 1_073_741_824, other: 268_435_456 };
/** Tags of a part that is held in memory; a shared text has four. Each takes about 200 bytes there. */
const mostTags = 6_000_000;
/** A tag has three characters or more: a smaller part cannot have too many. */
const smallPart = mostTags * 3;
const saveAsCsv = 'Save it as CSV, which has no size limit.';

/**
 * Throws `usage` if an archive says that a part of it unpacks to more than may be read: hucre stops at the size that
 * the archive says. Other damage is found when the archive is unpacked.
 */
export function assertUnpackedSize(file: Buffer, name: string): void {
  for (const { part, packed, unpacked } of readEntries(file, name)) {
    const most = isWorksheet(part) ? limits.worksheet : limits.other;
    // Zero would mean that the archive does not say.
    if (unpacked > most || (unpacked === 0 && packed > 2)) {
      throw new SalonError(
        'usage',
        `${name} is too large: ${part} unpacks to more than ${most / 1_048_576} MB.`,
        { hint: saveAsCsv },
      );
    }
  }
}

/** Throws `usage` if a part that is held in memory has too many tags. Call it after `assertUnpackedSize`. */
export function assertTagCount(file: Buffer, name: string): void {
  for (const entry of readEntries(file, name)) {
    const { part, unpacked } = entry;
    if (isWorksheet(part) || unpacked <= smallPart || countTags(file, entry) <= mostTags) continue;
    throw new SalonError('usage', `${name} is too large: ${part} has more than 6 million tags.`, {
      hint: saveAsCsv,
    });
  }
}

/** Counts no further than needed. */
function countTags(file: Buffer, entry: ZipEntry): number {
  const bytes = unpack(file, entry);
  let count = 0;
  for (let at = bytes.indexOf('<'); at !== -1 && count <= mostTags; at = bytes.indexOf('<', at + 1))
    count += 1;
  return count;
}
