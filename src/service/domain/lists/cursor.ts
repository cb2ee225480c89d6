import { crc32 } from 'node:zlib';
import type { Spot } from '../../db/lists/page-request.ts';

/**
 * An opaque text for a spot in a list. `list` says everything the list is (account, records, order, filters):
 * a checksum over it and the spot ties the cursor to that list. Holds nothing of the record but what the list
 * is ordered by, so it stays good when the record is deleted.
 */
export function renderCursor(list: string, { value, seq }: Spot): string {
  return Buffer.from(JSON.stringify([value, seq, toChecksum(list, value, seq)])).toString('base64url');
}

/** The spot a cursor names; undefined when it was not made for this list. */
export function parseCursor(list: string, text: string): Spot | undefined {
  const parts = parseParts(text);
  if (!Array.isArray(parts) || parts.length !== 3) {
    return undefined;
  }
  const [value, seq, checksum]: unknown[] = parts;
  const isSpot = (typeof value === 'number' || typeof value === 'string') && typeof seq === 'number';
  return isSpot && checksum === toChecksum(list, value, seq) ? { value, seq } : undefined;
}

function parseParts(text: string): unknown {
  const bytes = Buffer.from(text, 'base64url');
  // Decoding passes over foreign characters; a cursor has exactly one spelling.
  if (bytes.toString('base64url') !== text) {
    return undefined;
  }
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function toChecksum(list: string, value: number | string, seq: number): number {
  return crc32(JSON.stringify([list, value, seq]));
}
