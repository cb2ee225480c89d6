import { transcode } from 'node:buffer';
import { type CollectionPage, type ListPageRequest, pageRoom } from '../pages.ts';

type Page = Pick<CollectionPage, 'dataJson' | 'hasRoom'>;

const before = `${' '.repeat(pageRoom.before)}[`;
const after = `]${' '.repeat(pageRoom.after)}`;

/** The records of a page, which the server sends as one text. */
export function toRecords(text: string, format: ListPageRequest['format']): Page {
  if (format === 'lines') return { dataJson: toUtf8(text, '\n') };
  const bytes = toUtf8(before, text, after);
  return { dataJson: bytes.subarray(pageRoom.before, bytes.length - pageRoom.after), hasRoom: true };
}

/** Larger pages get memory of their own. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024);
const unitBytes = 2;

/**
 * Like `Buffer.from(parts.join(''))`, which takes several times as long where a part has characters beyond Latin-1. Parts
 * are not joined first, because that would copy the page.
 */
function toUtf8(...parts: readonly string[]): Buffer {
  const bytes = parts.reduce((sum, part) => sum + unitBytes * part.length, 0);
  const memory = bytes <= scratch.length ? scratch : Buffer.allocUnsafeSlow(bytes);
  let end = 0;
  for (const part of parts) end += memory.write(part, end, 'utf16le');
  return transcode(memory.subarray(0, end), 'utf16le', 'utf8');
}
