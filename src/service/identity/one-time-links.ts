import { SalonError } from '../../contract/errors.ts';
import type { Reader, Writer } from '../db/engine.ts';
import { insertOneTimeLink, type OneTimeLinkRow, readOneTimeLink } from '../db/one-time-links.ts';
import type { Context } from '../domain/context.ts';
import { createId } from '../domain/records.ts';
import { createToken, toTokenHash } from './random-token.ts';

/** How long links are good. */
const lifetimesMs = { invitation: 7 * 86_400_000, reset: 86_400_000 } as const;

/** What a new link says; the rest is filled in. */
export type NewLink = Pick<OneTimeLinkRow, 'kind' | 'email' | 'email_key'> &
  Partial<
    Pick<
      OneTimeLinkRow,
      'account_id' | 'user_id' | 'role' | 'stylist_id' | 'is_mailed' | 'removes_second_factor'
    >
  >;

/** A new link, and its token, which is not stored. */
export interface CreatedLink {
  readonly row: OneTimeLinkRow;
  /** The path of its page. */
  readonly path: string;
}

/** Creates a link that works once. It replaces open ones for the same person and purpose. */
export async function createOneTimeLink(
  tx: Writer,
  { environment, caller }: Pick<Context, 'environment'> & Partial<Pick<Context, 'caller'>>,
  link: NewLink,
): Promise<CreatedLink> {
  const token = createToken(environment);
  const now = environment.now().getTime();
  const credential = caller?.credential;
  const row = {
    account_id: null,
    user_id: null,
    role: null,
    stylist_id: null,
    is_mailed: 0 as const,
    removes_second_factor: 0 as const,
    ...link,
    hash: token.hash,
    id: createId('invitation', environment),
    creator_id: credential !== undefined && 'user' in credential ? (credential.user?.id ?? null) : null,
    created_ms: now,
    expires_ms: now + lifetimesMs[link.kind],
    used_ms: null,
  };
  await insertOneTimeLink(tx, row);
  return { row, path: `/${link.kind}/${token.text}` };
}

/** The link of a token. Throws `not_found` with a reason for the person who opened it. */
export async function findOneTimeLink(
  reader: Reader,
  { kind, token, now }: { kind: OneTimeLinkRow['kind']; token: string; now: Date },
): Promise<OneTimeLinkRow> {
  const row = await readOneTimeLink(reader, toTokenHash(token));
  if (row === undefined || row.kind !== kind) throw unusable('This link is not valid.');
  if (row.used_ms !== null) throw unusable('This link was already used.');
  if (row.expires_ms <= now.getTime()) throw unusable('This link has expired.');
  return row;
}

/** The error for a link that was used, withdrawn or replaced while its form was open. */
export function unusable(reason: string): SalonError {
  return new SalonError('not_found', `${reason} Ask for a new one.`, { hint: 'Ask for a new link.' });
}
