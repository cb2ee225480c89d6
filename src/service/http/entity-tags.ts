import { crc32 } from 'node:zlib';

interface PageRequest {
  readonly accountId: string;
  /** The stylist whose calendar the caller is limited to, or null. */
  readonly stylistId: string | null;
  readonly query: object;
}

/** The `ETag` of a list page: differs by collection version, query, account and calendar. */
export function toPageTag(version: number, { accountId, stylistId, query }: PageRequest): string {
  const request = crc32(JSON.stringify([accountId, stylistId, query]));
  return `"${version}-${request.toString(16)}"`;
}

/** Whether an `If-None-Match` header matches a tag (RFC 9110): a list of tags, weak or strong, or `*`. */
export function matchesEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => {
    const candidate = part.trim();
    return candidate === '*' || toOwnTag(candidate) === tag;
  });
}

const entityTag = /(W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/**
 * The tags of an `If-Match` header (RFC 9110), one of which the record must have; undefined for no header or `*`.
 * Our tags are all strong: a weak one, and one with a suffix, went through a proxy that compresses (nginx, Apache,
 * Caddy) and is accepted as the tag it was. What is not a tag is left out.
 */
export function parseIfMatch(header: string | undefined): readonly string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return (header.match(entityTag) ?? []).map(toOwnTag);
}

function toOwnTag(tag: string): string {
  return tag.replace(/^W\//, '').replace(/-(?:gzip|br|zstd|deflate)"$/, '"');
}
