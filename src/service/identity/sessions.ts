import { SalonError } from '../../contract/errors.ts';
import { scopes } from '../../contract/roles.ts';
import { minuteMs } from '../../time/time.ts';
import type { Database } from '../db/database.ts';
import type { Reader, Writer } from '../db/engine.ts';
import { readMembershipsOf } from '../db/identity/accounts.ts';
import {
  deleteSessions,
  insertSession,
  readSessionByHash,
  readSessionById,
  readSessionsOf,
  type SessionWithMembership,
  updateSession,
} from '../db/identity/sessions.ts';
import { toCallerAccount } from '../domain/accounts.ts';
import { recordAudit } from '../domain/audit.ts';
import type { Caller, Context, Environment } from '../domain/context.ts';
import { sessionLimits } from '../domain/limits.ts';
import { createId, notFound } from '../domain/records.ts';
import { createToken, toTokenHash } from './tickets.ts';

/** How long after signing in a person may change how they sign in, and create keys. */
const confirmedMs = 120 * minuteMs;

/** A page view writes at most this often when it was. */
const touchIntervalMs = 5 * minuteMs;

const maxUserAgent = 200;

export interface NewSession {
  readonly userId: string;
  readonly accountId: string;
  readonly userAgent: string | null;
  readonly hasSecondFactor?: boolean;
}

/** Starts a session. Returns its token, which only the browser keeps. */
export async function startSession(
  tx: Writer,
  { environment, source }: Pick<Context, 'environment' | 'source'>,
  { userId, accountId, userAgent, hasSecondFactor = false }: NewSession,
): Promise<string> {
  const token = createToken(environment);
  const now = environment.now().getTime();
  await insertSession(tx, {
    hash: token.hash,
    id: createId('session', environment),
    user_id: userId,
    account_id: accountId,
    created_ms: now,
    last_used_ms: now,
    expires_ms: now + sessionLimits.totalMs,
    authenticated_ms: now,
    address: source.address,
    user_agent: userAgent?.slice(0, maxUserAgent) ?? null,
    has_second_factor: hasSecondFactor ? 1 : 0,
  });
  return token.text;
}

/** The session of a token; undefined when it has ended, and when its person no longer belongs to the account. */
export async function readSession(database: Database, environment: Environment, token: string) {
  const now = environment.now().getTime();
  const range = { now, idleSince: now - sessionLimits.idleMs };
  const row = await readSessionByHash(database.reader, { hash: toTokenHash(token), ...range });
  if (row === undefined) return undefined;
  if (Math.abs(now - row.last_used_ms) > touchIntervalMs) {
    await database.transaction('rows', (tx) => updateSession(tx, row.id, { last_used_ms: now }));
  }
  return {
    caller: toSessionCaller(row),
    session: {
      id: row.id,
      /** When the person last proved who they are. */
      authenticatedAt: new Date(row.authenticated_ms),
      /** Whether the person has to add a second factor before anything else. */
      lacksFactor: row.lacks_factor === 1,
    },
  };
}

/** A caller with the session it comes from. */
export type ReadSession = NonNullable<Awaited<ReturnType<typeof readSession>>>;

/** The session that a context comes from. Throws `permission_denied` for keys and tokens. */
export function sessionOf({ caller }: Pick<Context, 'caller'>) {
  if (caller.credential.kind === 'session') return caller.credential;
  throw new SalonError('permission_denied', 'Only a person who is signed in can do this.');
}

/**
 * Whether the person of a session proved recently enough who they are to change how they sign in. A clock that is set
 * back does not extend it.
 */
export function isConfirmed(authenticatedAt: Date, now: Date): boolean {
  return Math.abs(now.getTime() - authenticatedAt.getTime()) < confirmedMs;
}

/**
 * Throws `confirmation_required` unless the person has proved recently who they are. A change asks in its transaction:
 * the session may have ended with a new password a moment ago.
 */
export async function assertRecentlyConfirmed(
  context: Context,
  reader: Reader = context.database.reader,
): Promise<void> {
  const row = await readSessionById(reader, sessionOf(context).id);
  const isRecent =
    row !== undefined && isConfirmed(new Date(row.authenticated_ms), context.environment.now());
  if (!isRecent) throw new SalonError('confirmation_required', 'Confirm that it is you, then try again.');
}

/** The sessions of the person who asks, in all their accounts. */
export async function listSessions(context: Context) {
  const { id, user } = sessionOf(context);
  const now = context.environment.now().getTime();
  const range = { now, idleSince: now - sessionLimits.idleMs };
  const rows = await readSessionsOf(context.database.reader, { userId: user.id, ...range });
  return rows.map((row) => ({
    id: row.id,
    created_at: new Date(row.created_ms).toISOString(),
    last_used_at: new Date(row.last_used_ms).toISOString(),
    address: row.address,
    user_agent: row.user_agent,
    /** Whether it is the session that asks. */
    current: row.id === id,
  }));
}

/** Ends a session of the person who asks, by default the one that asks. Throws `not_found`. */
export async function endSession(context: Context, id = sessionOf(context).id): Promise<void> {
  const { id: own, user } = sessionOf(context);
  await context.database.transaction('service', async (tx) => {
    if ((await deleteSessions(tx, { userId: user.id, id })) === 0) throw notFound('session', id);
    const act =
      id === own
        ? ({ action: 'user.signed_out', id: user.id } as const)
        : ({ action: 'session.ended', id } as const);
    await recordAudit(tx, context, act);
  });
}

/** Ends all sessions of the person who asks but the one that asks. Returns how many there were. */
export async function endOtherSessions(context: Context): Promise<number> {
  const { id, user } = sessionOf(context);
  return context.database.transaction('service', async (tx) => {
    const sessions = await deleteSessions(tx, { userId: user.id, exceptId: id });
    if (sessions > 0)
      await recordAudit(tx, context, { action: 'session.ended', id: null, details: { sessions } });
    return sessions;
  });
}

/** The accounts that the person may switch to. */
export async function listOwnAccounts(context: Context) {
  const memberships = await readMembershipsOf(context.database.reader, sessionOf(context).user.id);
  return memberships.map(({ account_id, account_name, role }) => ({
    id: account_id,
    name: account_name,
    role,
    current: account_id === context.caller.account.id,
  }));
}

/** Works in another account of the person from now on. Throws `not_found`. */
export async function switchAccount(context: Context, accountId: string): Promise<void> {
  const { id, user } = sessionOf(context);
  await context.database.transaction('service', async (tx) => {
    const memberships = await readMembershipsOf(tx, user.id);
    if (!memberships.some(({ account_id }) => account_id === accountId)) throw notFound('account', accountId);
    await updateSession(tx, id, { account_id: accountId });
  });
}

function toSessionCaller(row: SessionWithMembership): Caller {
  return {
    account: toCallerAccount(row),
    role: row.role,
    scopes,
    stylistId: row.stylist_id,
    credential: {
      kind: 'session',
      id: row.id,
      user: { id: row.user_id, name: row.name, email: row.email },
    },
  };
}
