import { inflateRawSync } from 'node:zlib';
import { SalonError } from '../../contract/errors.ts';

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
/** The end record without its comment, which has at most 65,535 bytes. */
const endLength = 22;
const entryLength = 46;
const localLength = 30;
const deflated = 8;

/** A worksheet is read in parts, but the texts that cells share are held in memory. */
const limits = { worksheet: 1_073_741_824, other: 268_435_456 };
/** Tags of a part that is held in memory; a shared text has four. Each takes about 200 bytes there. */
const mostTags = 6_000_000;
/** A tag has three characters or more: a smaller part cannot have too many. */
const smallPart = mostTags * 3;
const saveAsCsv = 'Save it as CSV, which has no size limit.';

interface Entry {
  readonly part: string;
  readonly packed: number;
  readonly unpacked: number;
  readonly method: number;
  /** Where its local header begins. */
  readonly offset: number;
}

/**
 * Throws `usage` if an archive says that a part of it unpacks to more than may be read: hucre stops at the size that
 * the archive says. Damage of other kinds is left to whoever unpacks it.
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

/**
 * Throws `usage` for a formula without a saved result, as programs write that do not calculate: it would read as blank.
 * Call it after `assertUnpackedSize`. Larger worksheets are not searched.
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

function isWorksheet(part: string): boolean {
  return part.startsWith('xl/worksheets/');
}

/** Counts no further than needed. */
function countTags(file: Buffer, entry: Entry): number {
  const bytes = unpack(file, entry);
  let count = 0;
  for (let at = bytes.indexOf('<'); at !== -1 && count <= mostTags; at = bytes.indexOf('<', at + 1))
    count += 1;
  return count;
}

/** Empty for a damaged part. */
function unpack(file: Buffer, { packed, unpacked, method, offset }: Entry): Buffer {
  if (offset + localLength > file.length) return Buffer.alloc(0);
  const start = offset + localLength + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
  const data = file.subarray(start, start + packed);
  try {
    return method === deflated ? inflateRawSync(data, { maxOutputLength: unpacked }) : data;
  } catch {
    return Buffer.alloc(0);
  }
}

/** The directory of an archive, up to an entry that is damaged. Throws `usage` if there is none. */
function* readEntries(file: Buffer, name: string): Generator<Entry, void> {
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end === -1 || end + endLength > file.length || file.readUInt32LE(end) !== endOfDirectory) {
    throw new SalonError('usage', `${name} is damaged: it is not a whole .xlsx file.`, {
      hint: 'Save it again, or copy it again.',
    });
  }
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + entryLength > file.length || file.readUInt32LE(at) !== directoryEntry) return;
    const [nameLength = 0, extraLength = 0, commentLength = 0] = [28, 30, 32].map((offset) =>
      file.readUInt16LE(at + offset),
    );
    yield {
      part: file.toString('utf8', at + entryLength, at + entryLength + nameLength),
      packed: file.readUInt32LE(at + 20),
      unpacked: file.readUInt32LE(at + 24),
      method: file.readUInt16LE(at + 10),
      offset: file.readUInt32LE(at + 42),
    };
    at += entryLength + nameLength + extraLength + commentLength;
  }
}
