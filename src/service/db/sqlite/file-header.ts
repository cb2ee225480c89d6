import { fstatSync, readSync } from 'node:fs';

/** What the header of a database file tells: https://sqlite.org/fileformat2.html#the_database_header */
export interface FileHeader {
  /** How many bytes the file must have. */
  readonly bytes: number;
  /** Grows with changes of the first page, and never shrinks. */
  readonly changeCounter: number;
  readonly userVersion: number;
  readonly applicationId: number;
}

const headerBytes = 100;
const magic = 'SQLite format 3\0';
/** This page size does not fit into its two bytes. */
const largestPage = 65_536;

/** Reads the header of an open file and its length; the header is undefined if the file has none. */
export function readFileHeader(handle: number): { header: FileHeader | undefined; bytes: number } {
  const buffer = Buffer.alloc(headerBytes);
  const count = readSync(handle, buffer, 0, headerBytes, 0);
  const bytes = fstatSync(handle).size;
  if (count < headerBytes || buffer.toString('latin1', 0, magic.length) !== magic) {
    return { header: undefined, bytes };
  }
  const pageBytes = buffer.readUInt16BE(16) === 1 ? largestPage : buffer.readUInt16BE(16);
  const header = {
    bytes: pageBytes * buffer.readUInt32BE(28),
    changeCounter: buffer.readUInt32BE(24),
    userVersion: buffer.readUInt32BE(60),
    applicationId: buffer.readUInt32BE(68),
  };
  return { header, bytes };
}
