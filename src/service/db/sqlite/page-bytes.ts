import { type CollectionPage, type ListPageRequest, pageRoom } from '../pages.ts';

/** A page that was read as bytes. */
export type PageInBytes = CollectionPage & { readonly dataJson: Buffer };

type Format = Pick<ListPageRequest, 'format'>;

// One function, because every operator would copy all of it.
const array = `concat('${' '.repeat(pageRoom.before)}[', group_concat(record), ']${' '.repeat(pageRoom.after)}')`;
const lines = "coalesce(group_concat(record, char(10)) || char(10), '')";

/** An expression for the records of a page. As bytes, because they are sent unchanged. */
export function renderRecords({ format }: Format): string {
  return `cast(${format === 'lines' ? lines : array} as blob)`;
}

/** The records from the bytes of that expression. */
export function toRecords(
  { buffer, byteOffset, byteLength }: Uint8Array,
  { format }: Format,
): Pick<PageInBytes, 'dataJson' | 'hasRoom'> {
  if (format === 'lines') return { dataJson: Buffer.from(buffer, byteOffset, byteLength) };
  const { before, after } = pageRoom;
  const dataJson = Buffer.from(buffer, byteOffset + before, byteLength - before - after);
  return { dataJson, hasRoom: true };
}

/** Whether bytes have their memory for themselves, so that it can be handed to another thread. */
export function isTransferable({ buffer, byteLength }: Uint8Array): boolean {
  return [0, pageRoom.before + pageRoom.after].includes(buffer.byteLength - byteLength);
}
