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
export function matchesEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) {
    return false;
  }
  return header.split(',').some((part) => {
    const named = part.trim();
    return named === '*' || named === tag || named === `W/${tag}`;
  });
}

const tag = /(W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * The tags one of which a record must have for a change of it, from an `If-Match` header (RFC 9110); undefined
 * where any record will do. Weak tags never match and are left out, and so is what is no tag.
 */
export function parseIfMatch(header: string | undefined): readonly string[] | undefined {
  if (header === undefined || header.trim() === '*') {
    return undefined;
  }
  return (header.match(tag) ?? []).filter((named) => !named.startsWith('W/'));
}
