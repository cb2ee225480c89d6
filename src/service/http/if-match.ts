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
