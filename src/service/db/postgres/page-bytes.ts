import { transcode } from 'node:buffer';
import { type CollectionPage, type ListPageRequest, pageRoom } from '../pages.ts';

type Page = Pick<CollectionPage, 'dataJson' | 'hasRoom'>;

const before = `${' '.repeat(pageRoom.before)}[`;
const after = `]${' '.repeat(pageRoom.after)}`;

/** The records of a page, which the server sends as one text. */
export function toRecords(text: string, format: ListPageRequest['format']): Page {
  if (format === 'lines') return { dataJson: toUtf8(`${text}\n`) };
  const bytes = toUtf8(before + text + after);
  return { dataJson: bytes.subarray(pageRoom.before, bytes.length - pageRoom.after), hasRoom: true };
}

/** Larger texts get memory of their own. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024);

/** Like `Buffer.from(text)`, which takes several times as long for a text with characters beyond Latin-1. */
function toUtf8(text: string): Buffer {
  const isLarge = 2 * text.length > scratch.length;
  const units = isLarge ? Buffer.from(text, 'utf16le') : scratch.subarray(0, scratch.write(text, 'utf16le'));
  return transcode(units, 'utf16le', 'utf8');
}
