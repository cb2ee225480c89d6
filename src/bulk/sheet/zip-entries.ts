import { crc32, inflateRawSync } from 'node:zlib';
import { SalonError } from '../../contract/errors.ts';

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
/** The end record without its comment, which has at most 65,535 bytes. */
const endLength = 22;
const entryLength = 46;
const localLength = 30;
export const deflated = 8;

/** A file in an archive. */
export interface ZipEntry {
  readonly part: string;
  readonly packed: number;
  readonly unpacked: number;
  readonly method: number;
  readonly crc: number;
  /** Where its local header begins. */
  readonly offset: number;
}

export function isWorksheet(part: string): boolean {
  return part.startsWith('xl/worksheets/');
}

/** Empty for a damaged part. */
export function unpack(file: Buffer, entry: ZipEntry): Buffer {
  const data = packedData(file, entry);
  const { method, unpacked } = entry;
  try {
    return method === deflated ? inflateRawSync(data, { maxOutputLength: unpacked }) : data;
  } catch {
    return Buffer.alloc(0);
  }
}

/** Empty where the local header is missing. */
export function packedData(file: Buffer, { packed, offset }: ZipEntry): Buffer {
  if (offset + localLength > file.length) return Buffer.alloc(0);
  const start = offset + localLength + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
  return file.subarray(start, start + packed);
}

/** An archive of some files of another one, and a new file, which is not packed. */
export function zip(
  file: Buffer,
  entries: readonly ZipEntry[],
  { part, data }: { readonly part: string; readonly data: Buffer },
): Buffer {
  const added = { part, packed: data.length, unpacked: data.length, method: 0, crc: crc32(data), data };
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const one of [...entries.map((entry) => ({ ...entry, data: packedData(file, entry) })), added]) {
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(one.method, 4);
    for (const [index, value] of [one.crc, one.packed, one.unpacked].entries())
      facts.writeUInt32LE(value, 10 + 4 * index);
    facts.writeUInt16LE(Buffer.byteLength(one.part), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const name = Buffer.from(one.part);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), facts, place, name);
    const local = [Buffer.from('PK\x03\x04', 'latin1'), facts, name, one.data];
    locals.push(...local);
    offset += local.reduce((sum, { length }) => sum + length, 0);
  }
  const tables = Buffer.concat(directory);
  const end = Buffer.alloc(endLength);
  end.writeUInt32LE(endOfDirectory, 0);
  for (const at of [8, 10]) end.writeUInt16LE(entries.length + 1, at);
  end.writeUInt32LE(tables.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, tables, end]);
}

/** The directory of an archive, up to an entry that is damaged. Throws `usage` if there is none. */
export function* readZipEntries(file: Buffer, name: string): Generator<ZipEntry, void> {
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
      crc: file.readUInt32LE(at + 16),
      offset: file.readUInt32LE(at + 42),
    };
    at += entryLength + nameLength + extraLength + commentLength;
  }
}
