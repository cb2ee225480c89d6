import { ulid } from 'ulid';
import { type IdentifierKind, identifierPrefixes } from '../../contract/identifiers.ts';
import type { Environment } from './context.ts';

/** Random characters of a ULID; the rest of it is the time. */
const randomLength = 16;

/** A new identifier: the kind's prefix and a ULID in lower case. */
export function newId(kind: IdentifierKind, environment: Environment): string {
  const bytes = environment.random(randomLength);
  let next = 0;
  const draw = () => (bytes[next++] ?? 0) / 256;
  return identifierPrefixes[kind] + ulid(environment.now().getTime(), draw).toLowerCase();
}
