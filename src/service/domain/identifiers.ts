import { ulid } from 'ulid';
import { type IdentifierKind, identifierPrefixes } from '../../contract/identifiers.ts';
import type { Outside } from './context.ts';

/** Random characters of a ULID; the rest of it is the time. */
const randomLength = 16;

/** A new identifier: the kind's prefix and a ULID in lower case. */
export function newId(kind: IdentifierKind, outside: Outside): string {
  const bytes = outside.random(randomLength);
  let next = 0;
  const draw = () => (bytes[next++] ?? 0) / 256;
  return identifierPrefixes[kind] + ulid(outside.now().getTime(), draw).toLowerCase();
}
