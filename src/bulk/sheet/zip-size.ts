import { SalonError } from '../../contract/errors.ts';

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
/** The end record without its comment, which has at most 65,535 bytes. */
const endLength = 22;
const entryLength = 46;

/** A worksheet is read in parts, but the texts that cells share are held in memory. */
const limits = { worksheet: 1_073_741_824, other: 268_435_456 };

/**
 * Throws `usage` if an archive says that a part of it unpacks to more than may be read: hucre stops at the size that
 * the archive says. Damage of other kinds is left to whoever unpacks it.
 */
export function assertUnpackedSize(file: Buffer, name: string): void {
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end === -1 || end + endLength > file.length || file.readUInt32LE(end) !== endOfDirectory) {
    throw new SalonError('usage', `${name} is damaged: it is not a whole .xlsx file.`, {
      hint: 'Save it again, or copy it again.',
    });
  }
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + entryLength > file.length || file.readUInt32LE(at) !== directoryEntry) return;
    const [packed, unpacked] = [file.readUInt32LE(at + 20), file.readUInt32LE(at + 24)];
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      file.readUInt16LE(at + offset),
    );
    const part = file.toString('utf8', at + entryLength, at + entryLength + (nameLength ?? 0));
    const most = part.startsWith('xl/worksheets/') ? limits.worksheet : limits.other;
    // Zero would mean that the archive does not say.
    if (unpacked > most || (unpacked === 0 && packed > 2)) {
      throw new SalonError(
        'usage',
        `${name} is too large: ${part} unpacks to more than ${most / 1_048_576} MB.`,
        {
          hint: 'Save it as CSV, which has no size limit.',
        },
      );
    }
    at += entryLength + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
}
