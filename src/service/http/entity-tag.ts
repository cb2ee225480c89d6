import { crc32 } from 'node:zlib';

interface Asked {
  readonly accountId: string;
  /** Whose calendar the answer is bound to; null where it is not. */
  readonly stylistId: string | null;
  readonly query: object;
}

/** Names the bytes of one page: another version of the collection, query or reach gives another tag. */
export function toEntityTag(version: number, { accountId, stylistId, query }: Asked): string {
  const asked = crc32(JSON.stringify([accountId, stylistId, query]));
  return `"${version}-${asked.toString(16)}"`;
}

/** Whether an `If-None-Match` header names a tag (RFC 9110): any of a list, weak or not, or all of them. */
export function isMatch(header: string | undefined, tag: string): boolean {
  if (header === undefined) {
    return false;
  }
  return header.split(',').some((part) => {
    const named = part.trim();
    return named === '*' || named === tag || named === `W/${tag}`;
  });
}
