import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { minuteMs } from '../../time/time.ts';
import type { Writer } from '../db/engine.ts';
import { readMembershipsOf } from '../db/identity/accounts.ts';
import { readUser, readUserByEmailKey, type UserRow, updateUser } from '../db/identity/users.ts';
import { anonymous, recordSecurityEvent, type SecurityEvent, toUserActor } from '../domain/audit.ts';
import type { Context } from '../domain/context.ts';
import { readWaitMs, refundAttempt, takeAttempt, type WindowLimit } from '../domain/window-limit.ts';
import type { Browser, SignInContext, SignInResult } from './identity.ts';
import { findEmailAddress } from './person-fields.ts';
import { startSession } from './sessions.ts';
import { createTicket, readTicket } from './tickets.ts';

/**
 * Signs a person in with their email address and password. Known and unknown addresses take the same time, count in
 * the same limits and get the same texts.
 */
export async function signInWithPassword(
  context: SignInContext,
  { email, password, browser }: { email: string; password: string; browser: Browser },
): Promise<SignInResult> {
  const { database, identity } = context;
  const address = findEmailAddress(email);
  const user = await readUserByEmailKey(database.reader, address?.key ?? '');
  const subject = address?.key ?? email.normalize('NFKC').toLowerCase();
  const limits = toAttemptLimits(context, { kind: 'person', subject, user, browser });
  const waitMs = await countAttempt(context, limits);
  if (waitMs > 0) return refuseFor(waitMs);
  const isRight = await identity.passwords.verify(password, user?.password_hash);
  if (user === undefined || !isRight) {
    await recordFailure(context, user, { limits, method: 'password' });
    return refuse('The email address or the password is wrong.');
  }
  const current = await rehashPassword(context, user, password);
  return completePasswordSignIn(context, current, { browser, method: 'password', limits });
}

/** Counts an attempt in its limits. Returns how long it has to wait, in milliseconds; 0 if it may be made. */
export async function countAttempt(
  { database, environment }: Pick<SignInContext, 'database' | 'environment'>,
  limits: readonly AttemptLimit[],
): Promise<number> {
  const now = environment.now();
  // Attempts that have to wait write nothing, however many there are.
  const waitMs = await readWaitMs(database.reader, limits, now);
  return waitMs > 0 ? waitMs : database.transaction('service', (tx) => takeAttempt(tx, limits, now));
}

/** Records a refused attempt, and how long the next one has to wait. */
export async function recordFailure(
  context: SignInContext,
  user: UserRow | undefined,
  { limits, method }: { limits: readonly AttemptLimit[]; method: SignInMethod },
): Promise<void> {
  await context.database.transaction('service', async (tx) => {
    const waitMs = await readWaitMs(tx, limits, context.environment.now());
    const wait_seconds = Math.ceil(Math.max(0, waitMs) / 1000);
    await recordFailedSignIn(tx, context, { user, method, wait_seconds });
  });
}

export interface SignInAttempt {
  readonly browser: Browser;
  readonly method: SignInMethod;
  /** The limits that the attempt has counted in. */
  readonly limits: AttemptLimit[];
  /** The account to work in; by default the oldest membership. */
  readonly accountId?: string;
}

interface AttemptSubject {
  readonly kind: 'person' | 'second_factor';
  readonly subject: string;
  readonly user: UserRow | undefined;
  readonly browser: Browser;
}

/** The limits of an attempt: in a browser that the person has used before, only its own. */
export function toAttemptLimits(
  context: SignInContext,
  { kind, subject, user, browser }: AttemptSubject,
): AttemptLimit[] {
  const nonce = user && readDeviceCookie(context, browser.device, user.id);
  return nonce === undefined
    ? [toLimit(kind, subject), toAddressLimit(context.source.address)]
    : [toLimit('device', `${kind} ${nonce}`)];
}

/** After a right password: asks for the second factor, or starts a session. */
export async function completePasswordSignIn(
  context: SignInContext,
  user: UserRow,
  admission: SignInAttempt,
): Promise<SignInResult> {
  if (user.totp_secret === null) {
    return context.database.transaction('service', (tx) => completeSignIn(tx, context, user, admission));
  }
  await context.database.transaction('service', (tx) => forgetAttempts(tx, context, admission.limits));
  const passwordHash = toPasswordFingerprint(user);
  return {
    status: 'second_factor',
    ticket: createTicket(context, 'second_factor', { userId: user.id, passwordHash }),
  };
}

/** Starts a session for a person who has proved who they are. */
export async function completeSignIn(
  tx: Writer,
  context: SignInContext,
  user: UserRow,
  { browser, method, limits, accountId }: SignInAttempt,
): Promise<SignInResult> {
  const current = await readUser(tx, user.id);
  if (current === undefined || toPasswordFingerprint(current) !== toPasswordFingerprint(user)) {
    return refuse('Your password was changed a moment ago. Sign in again.');
  }
  const memberships = await readMembershipsOf(tx, user.id);
  const membership = memberships.find(({ account_id }) => account_id === accountId) ?? memberships[0];
  if (membership === undefined) {
    return refuse('You no longer have access to any salon here. Ask an owner to invite you.');
  }
  await forgetAttempts(tx, context, limits);
  const hasSecondFactor = ['passkey', 'totp', 'recovery_code'].includes(method);
  const session = { userId: user.id, userAgent: browser.userAgent, hasSecondFactor };
  const token = await startSession(tx, context, { ...session, accountId: membership.account_id });
  await recordSecurityEvent(tx, context, {
    accountId: membership.account_id,
    actor: toUserActor(user),
    action: 'user.signed_in',
    id: user.id,
    details: { method },
  });
  const isKnown = method === 'invitation' || readDeviceCookie(context, browser.device, user.id) !== undefined;
  const device = createDeviceCookie(context, user.id);
  return { status: 'signed_in', token, device, ...(isKnown ? {} : { stranger: user }) };
}

/** Whether a password is still the one that a step before has seen. */
export function toPasswordFingerprint({ password_hash }: Pick<UserRow, 'password_hash'>): string {
  return hash('sha256', password_hash, 'base64url');
}

/** Keeps a password's hash at today's cost. */
async function rehashPassword(
  { database, identity }: SignInContext,
  user: UserRow,
  password: string,
): Promise<UserRow> {
  if (!identity.passwords.isOutdated(user.password_hash)) return user;
  const password_hash = await identity.passwords.hash(password);
  return database.transaction('service', async (tx) => {
    const current = await readUser(tx, user.id);
    if (current?.password_hash !== user.password_hash) return user;
    await updateUser(tx, user.id, { password_hash });
    return { ...user, password_hash };
  });
}

export function refuse(message: string, retryAfterMs?: number): SignInResult & { status: 'refused' } {
  return { status: 'refused', message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** The refusal of an attempt that has to wait. It is the same for known and unknown addresses. */
export function refuseFor(waitMs: number) {
  const minutes = Math.ceil(waitMs / 60_000);
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return refuse(
    `Too many attempts. Try again in ${wait}, use a passkey, or a browser in which you have signed in before.`,
    waitMs,
  );
}

/** Forgets the attempts before a successful one. */
export async function forgetAttempts(
  tx: Writer,
  { environment }: Pick<SignInContext, 'environment'>,
  limits: readonly AttemptLimit[],
): Promise<void> {
  const returned = limits.filter(({ isShared }) => isShared);
  const cleared = limits.filter(({ isShared }) => !isShared);
  await refundAttempt(tx, { returned, cleared }, environment.now());
}

const nonceBytes = 16;

/**
 * The value of a cookie by which a browser is known in which a person has signed in before (OWASP's device cookie).
 * Attempts from it have a limit of their own, so that strangers cannot lock the person out.
 */
function createDeviceCookie(context: Pick<Context, 'environment' | 'secrets'>, userId: string): string {
  const nonce = Buffer.from(context.environment.random(nonceBytes)).toString('base64url');
  return createTicket(context, 'known_browser', { nonce, userId });
}

/** The nonce of a mark that was made for a person; undefined for every other text. */
function readDeviceCookie(
  context: Pick<Context, 'environment' | 'secrets'>,
  mark: string | undefined,
  userId: string,
): string | undefined {
  const known = mark === undefined ? undefined : readTicket(context, 'known_browser', mark);
  return known?.userId === userId ? known.nonce : undefined;
}

export type SignInMethod = 'password' | 'totp' | 'recovery_code' | 'passkey' | 'invitation' | 'reset';

type EventContext = Pick<Context, 'environment' | 'source'>;

/**
 * Records a refused sign-in in all accounts of the person, and for an unknown address in none of them. The limits on
 * attempts bound how many there are.
 */
export async function recordFailedSignIn(
  tx: Writer,
  context: EventContext,
  { user, ...details }: { user: UserRow | undefined; method: SignInMethod; wait_seconds: number },
): Promise<void> {
  const memberships = user === undefined ? [] : await readMembershipsOf(tx, user.id);
  const accountIds = memberships.length === 0 ? [null] : memberships.map(({ account_id }) => account_id);
  for (const accountId of accountIds) {
    await recordSecurityEvent(tx, context, {
      accountId,
      actor: anonymous,
      action: 'user.sign_in_failed',
      id: user?.id ?? null,
      details,
    });
  }
}

/** Records what concerns a person in all of their accounts, such as a new password. */
export async function recordPersonEvent(
  tx: Writer,
  context: EventContext,
  { user, ...event }: { user: Pick<UserRow, 'id'> } & Omit<SecurityEvent, 'accountId' | 'id'>,
): Promise<void> {
  for (const { account_id } of await readMembershipsOf(tx, user.id)) {
    await recordSecurityEvent(tx, context, { accountId: account_id, id: user.id, ...event });
  }
}

interface AttemptPolicy extends Omit<WindowLimit, 'key'> {
  /** Whether others count in it too, so that one success does not clear it. */
  readonly isShared?: boolean;
}

/** A limit on attempts, and by whom or against whom they count. */
export type AttemptLimit = AttemptPolicy & Pick<WindowLimit, 'key'>;

const policies = {
  /** By an address of the network, which an office shares. */
  address: { burst: 50, intervalMs: minuteMs, isShared: true },
  /** Against a person, whether they exist or not: 10, then four an hour. */
  person: { burst: 10, intervalMs: 15 * minuteMs },
  /** From a browser in which the person has signed in before. No one else can use it up. */
  device: { burst: 10, intervalMs: 15 * minuteMs },
  second_factor: { burst: 10, intervalMs: 15 * minuteMs },
  /** Codes of devices that a person types. */
  device_code: { burst: 10, intervalMs: minuteMs },
  /** Mails to a person. */
  mail: { burst: 3, intervalMs: 20 * minuteMs },
} as const satisfies Record<string, AttemptPolicy>;

/** The limit of a kind for a subject, whose name is stored as a hash. */
export function toLimit(kind: keyof typeof policies, subject: string): AttemptLimit {
  return { ...policies[kind], key: `${kind}:${hash('sha256', subject, 'base64url')}` };
}

/** The limit of a client's address. IPv6 gives a household 2^64 addresses, so those count as one. */
export function toAddressLimit(address: string | null): AttemptLimit {
  if (address === null || !ipaddr.isValid(address)) return toLimit('address', 'unknown');
  const parsed = ipaddr.process(address);
  const parts = parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4) : parsed.octets;
  return toLimit('address', `${parsed.kind()} ${parts.join('.')}`);
}
