import { SalonError } from '../../contract/errors.ts';
import type { Reader, Writer } from '../db/engine.ts';
import { readMembershipsOf } from '../db/identity/accounts.ts';
import {
  deleteOneTimeLink,
  insertOneTimeLink,
  type OneTimeLinkRow,
  readOneTimeLink,
} from '../db/identity/one-time-links.ts';
import { anonymous } from '../domain/audit.ts';
import { recordRefusal } from '../domain/audit-access.ts';
import type { Context } from '../domain/context.ts';
import { createId } from '../domain/records.ts';
import type { PersonContext } from './identity.ts';
import type { Mail } from './mail.ts';
import { createToken, toTokenHash } from './tickets.ts';

/** How long links can be used. */
const lifetimesMs = { invitation: 7 * 86_400_000, reset: 86_400_000 } as const;

/** What a new link says; the rest is filled in. */
type NewLink = Pick<OneTimeLinkRow, 'kind' | 'email' | 'email_key'> & Partial<OneTimeLinkRow>;

/**
 * Creates a link that works once, and the path of its page. It replaces open ones for the same person and purpose. The
 * token in the path is not stored.
 */
export async function createOneTimeLink(
  tx: Writer,
  { environment, caller }: Pick<Context, 'environment'> & Partial<Pick<Context, 'caller'>>,
  link: NewLink,
) {
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

/**
 * Reads the link that a person opened. Throws `not_found` with the reason if it cannot be used, and records
 * that in the audit log of its account, or of every account of its person.
 */
export async function openOneTimeLink(
  context: Pick<Context, 'database' | 'environment' | 'source'>,
  kind: OneTimeLinkRow['kind'],
  token: string,
): Promise<OneTimeLinkRow> {
  const { database, environment } = context;
  const row = await readOneTimeLink(database.reader, toTokenHash(token));
  const reason = findReason(row, kind, environment.now());
  if (row !== undefined && reason === undefined) return row;
  const own = row?.kind === kind ? row : undefined;
  const [code, message] = reason ?? unknown;
  for (const accountId of await readAccountIds(database.reader, own)) {
    const refusal = { accountId, actor: anonymous, operation: kind, code };
    await recordRefusal(context, own === undefined ? refusal : { ...refusal, id: own.id });
  }
  throw unusable(message);
}

/** Reads a link again inside a transaction: it may have been used or withdrawn since it was opened. */
export async function readUsableLink(
  tx: Writer,
  { kind, hash }: OneTimeLinkRow,
  now: Date,
): Promise<OneTimeLinkRow> {
  const row = await readOneTimeLink(tx, hash);
  const [, message] = findReason(row, kind, now) ?? [];
  if (row === undefined || message !== undefined) throw unusable(message ?? unknown[1]);
  return row;
}

const unknown = ['link_unknown', 'This link is not valid.'] as const;

/** Why a link cannot be used: a code for the log and a sentence. */
function findReason(row: OneTimeLinkRow | undefined, kind: OneTimeLinkRow['kind'], now: Date) {
  if (row?.kind !== kind) return unknown;
  if (row.used_ms !== null) return ['link_used', 'This link has already been used.'] as const;
  if (row.expires_ms <= now.getTime()) return ['link_expired', 'This link has expired.'] as const;
  return undefined;
}

/** The accounts to record a refused link in. Null stands for the service: the link is unknown or has no account. */
async function readAccountIds(reader: Reader, row: OneTimeLinkRow | undefined): Promise<(string | null)[]> {
  if (row === undefined || row.user_id === null) return [row?.account_id ?? null];
  return (await readMembershipsOf(reader, row.user_id)).map(({ account_id }) => account_id);
}

/** The error for a link that was used, withdrawn or replaced while its form was open. */
export function unusable(reason: string): SalonError {
  return new SalonError('not_found', `${reason} Ask for a new one.`);
}

/** A link for a person: shown once, or mailed. */
export interface IssuedLink {
  /** Null when only the mailbox has it. */
  readonly link: string | null;
  readonly expiresAt: string;
  readonly isMailed: boolean;
  /** Why the operator, who has the link, has to pass it on although there is a mail server; or why a mail is late. */
  readonly mailProblem: string | null;
}

/** Whether a link goes to the mailbox alone: with a mail server, only the operator also sees it. */
export function isOnlyMailed({ identity, caller }: PersonContext): boolean {
  return identity.mailer !== null && caller.credential.kind !== 'operator';
}

/** Mails a link, if there is a mail server. Deletes one that was neither mailed nor shown, and throws. */
export async function issueLink(
  { database, identity }: PersonContext,
  { row, link, mail }: { row: OneTimeLinkRow; link: string; mail: Mail },
): Promise<IssuedLink> {
  const issued = {
    link: row.is_mailed === 1 ? null : link,
    expiresAt: new Date(row.expires_ms).toISOString(),
  };
  if (identity.mailer === null) return { ...issued, isMailed: false, mailProblem: null };
  try {
    await identity.mailer.send(mail);
    return { ...issued, isMailed: true, mailProblem: null };
  } catch (error) {
    if (issued.link !== null && error instanceof Error) {
      return { ...issued, isMailed: false, mailProblem: error.message };
    }
    const { mailer } = identity;
    if (error instanceof SalonError && error.retryable) {
      identity.inBackground(() => mailer.deliver(mail));
      return {
        ...issued,
        isMailed: true,
        mailProblem: 'The mail server asks to wait. We try again for an hour.',
      };
    }
    await database.transaction('service', (tx) => deleteOneTimeLink(tx, row.hash));
    throw error;
  }
}
