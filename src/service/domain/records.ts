import { ulid } from 'ulid';
import { SalonError } from '../../contract/errors.ts';
import { type IdentifierKind, identifierPrefixes } from '../../contract/identifiers.ts';
import type { Environment } from './context.ts';

/** Random characters of a ULID; the rest of it is the time. */
const randomLength = 16;

/** A new identifier: the kind's prefix and a ULID in lower case. */
export function createId(kind: IdentifierKind, environment: Environment): string {
  const bytes = environment.random(randomLength);
  let next = 0;
  const draw = () => (bytes[next++] ?? 0) / 256;
  return identifierPrefixes[kind] + ulid(environment.now().getTime(), draw).toLowerCase();
}

/** What is said of an identifier that the account has no record of, be it another account's or nobody's. */
export function notFound(resource: IdentifierKind, id: string): SalonError {
  const name = resource.replace('_', ' ');
  return new SalonError('not_found', `There is no ${name} ${id} in reach of this credential.`, {
    members: { resource, id },
  });
}

interface Changing {
  readonly updated_at: string;
}

/** The entity tag of a record (RFC 9110): its `updated_at`, which a list tells as well. */
export function toEntityTag({ updated_at }: Changing): string {
  return `"${updated_at}"`;
}

/** Lets a change pass whose caller knows the record as it is. Throws `precondition_failed` with the present tag. */
export function assertIfMatch(record: Changing, ifMatch: readonly string[] | undefined): void {
  const etag = toEntityTag(record);
  if (ifMatch !== undefined && !ifMatch.includes(etag)) {
    const detail = `The record was last changed at ${record.updated_at}, which is not what If-Match names.`;
    throw new SalonError('precondition_failed', detail, { members: { etag } });
  }
}

/** The `updated_at` of a change: now, but always after the one before, so that no tag ever comes twice. */
export function nextUpdatedAt({ updated_at }: Changing, now: Date): string {
  return new Date(Math.max(now.getTime(), Date.parse(updated_at) + 1)).toISOString();
}
