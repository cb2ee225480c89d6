import { SalonError } from '../../contract/errors.ts';
import { scopes as allScopes, type Role } from '../../contract/roles.ts';
import { type KeyWithAccount, readKeyByHash } from '../db/identity/api-keys.ts';
import { type AccessTokenRow, findAccessToken } from '../db/identity/oauth-grants.ts';
import { toCallerAccount } from '../domain/accounts.ts';
import { recordRefusedCaller } from '../domain/audit-access.ts';
import type { Caller, Context, Environment, RequestSource, ServiceUser } from '../domain/context.ts';
import { createRangeCheck } from './address-ranges.ts';
import { isWellFormedKey, looksLikeKey, parseStoredScopes, toAllowedAddresses } from './api-key-format.ts';
import { builtInApp } from './credential-rights.ts';
import { openUseTracker, type UseTrackerOptions } from './key-usage.ts';
import { toTokenHash } from './tickets.ts';

/** A use of a credential. */
interface Use {
  readonly source: RequestSource;
  readonly onRefused: ((caller: Caller) => void) | undefined;
}

/** Credentials kept at most. */
const maxKept = 1000;

/** Keeps valid credentials until any process writes to the database, so that a revoked one is refused at once. */
export function openCredentials(
  context: Pick<Context, 'database' | 'environment'>,
  options: UseTrackerOptions = {},
) {
  const { database, environment } = context;
  const uses = openUseTracker(context, options);
  const recordRefusal = createRefusalRecorder(context);
  const kept = new Map<string, KnownCredential>();
  let version: number | undefined;

  function findKept(text: string): KnownCredential | undefined {
    const current = database.readDataVersion();
    if (current !== version || kept.size >= maxKept) {
      kept.clear();
      version = current;
    }
    const known = kept.get(text);
    return known === undefined || isExpired(known.caller, environment.now) ? undefined : known;
  }

  async function find(text: string): Promise<KnownCredential> {
    const current = database.readDataVersion();
    const credential = await readCredential(context, text);
    // A commit during the read may have changed the credential.
    if (database.readDataVersion() === current && credential.refusal === undefined)
      kept.set(text, credential);
    return credential;
  }

  function admit({ caller, allows, refusal }: KnownCredential, { source, onRefused }: Use) {
    const reason = refusal ?? findAddressRefusal(allows, source.address);
    if (reason !== undefined) return refuse(reason, caller, { source, onRefused });
    if (caller.credential.kind === 'api_key') uses.note(caller.credential.id);
    return caller;
  }

  async function refuse(reason: SalonError, caller: Caller, { source, onRefused }: Use): Promise<never> {
    onRefused?.(caller);
    await recordRefusal(caller, source, reason.code);
    throw reason;
  }

  return {
    /**
     * The caller with an API key or access token, at once where nothing needs to be read. Throws `invalid_token` and
     * `address_not_allowed`; where the credential is known, `onRefused` gets its caller first.
     */
    read(
      text: string,
      source: RequestSource,
      onRefused?: (caller: Caller) => void,
    ): Caller | Promise<Caller> {
      const known = findKept(text);
      const use = { source, onRefused };
      return known === undefined ? find(text).then((found) => admit(found, use)) : admit(known, use);
    },
    count: uses.count,
    save: uses.save,
  };
}

/** Reads the credentials of requests. */
export type Credentials = ReturnType<typeof openCredentials>;

function findAddressRefusal(
  allows: KnownCredential['allows'],
  address: string | null,
): SalonError | undefined {
  if (allows === undefined || (address !== null && allows(address))) return undefined;
  const from = address ?? 'an unknown address';
  return new SalonError('address_not_allowed', `This API key may not be used from ${from}.`);
}

function isExpired({ credential }: Caller, now: Environment['now']): boolean {
  const expiresAt = 'expiresAt' in credential ? credential.expiresAt : null;
  return expiresAt !== null && expiresAt <= now();
}

/** Refusals remembered at most. */
const maxRemembered = 1000;
const repeatMs = 3_600_000;

/** Records refused credentials. A program that keeps trying with one costs no query for each request. */
function createRefusalRecorder({ database, environment }: Pick<Context, 'database' | 'environment'>) {
  const recorded = new Map<string, number>();
  return async (caller: Caller, source: RequestSource, code: string): Promise<void> => {
    const { credential } = caller;
    const name = JSON.stringify(['id' in credential && credential.id, code, source.address]);
    const nowMs = environment.now().getTime();
    const lastMs = recorded.get(name);
    if (lastMs !== undefined && nowMs >= lastMs && nowMs - lastMs < repeatMs) return;
    await recordRefusedCaller({ database, environment, source, caller }, { operation: 'authenticate', code });
    if (recorded.size >= maxRemembered) recorded.clear();
    recorded.set(name, nowMs);
  };
}

/** An API key or access token that the database has. */
export interface KnownCredential {
  readonly caller: Caller;
  /** Whether it may be used from an address; undefined if it may be used from any. */
  readonly allows: ((address: string) => boolean) | undefined;
  /** Why it is refused; undefined for one that is valid now. */
  readonly refusal: SalonError | undefined;
}

/** Reads an API key or access token from the database. Throws `invalid_token` for an unknown one. */
export async function readCredential(
  context: Pick<Context, 'database' | 'environment'>,
  text: string,
): Promise<KnownCredential> {
  return looksLikeKey(text) ? readApiKey(context, text) : readAccessToken(context, text);
}

/** Whether an API key or access token is known and valid. */
export async function isKeyAccepted(
  context: Pick<Context, 'database' | 'environment'>,
  key: string,
): Promise<boolean> {
  try {
    return (await readCredential(context, key)).refusal === undefined;
  } catch (error) {
    if (error instanceof SalonError && error.code === 'invalid_token') return false;
    throw error;
  }
}

async function readApiKey(
  { database, environment }: Pick<Context, 'database' | 'environment'>,
  key: string,
): Promise<KnownCredential> {
  const row = isWellFormedKey(key) ? await readKeyByHash(database.reader, toTokenHash(key)) : undefined;
  if (row === undefined) throw new SalonError('invalid_token', 'Unknown API key.');
  const addresses = toAllowedAddresses(row.allowed_addresses);
  const { id, name, role, stylist_id: stylistId, expires_at: end } = row;
  const expiresAt = end === null ? null : new Date(end);
  return {
    caller: {
      account: toCallerAccount(row),
      role,
      scopes: parseStoredScopes(row.scopes),
      stylistId,
      credential: {
        ...{ kind: 'api_key', id, name, expiresAt, creator: toCreator(row) },
        ...(addresses.length > 0 ? { hasAddresses: true } : {}),
      },
    },
    allows: addresses.length === 0 ? undefined : createRangeCheck(addresses),
    refusal: findRefusal(row, environment.now()),
  };
}

function findRefusal({ revoked_at, expires_at }: KeyWithAccount, now: Date): SalonError | undefined {
  if (revoked_at !== null) {
    return new SalonError('invalid_token', `The API key was revoked at ${revoked_at}.`);
  }
  if (expires_at !== null && new Date(expires_at) <= now) {
    return new SalonError('invalid_token', `The API key expired at ${expires_at}.`);
  }
  return undefined;
}

function toCreator({ created_by, creator_name, creator_email }: KeyWithAccount): ServiceUser | null {
  if (created_by === null) return null;
  return { id: created_by, name: creator_name ?? '', email: creator_email ?? '' };
}

const wellFormed = /^slt_[A-Za-z0-9_-]{43}$/;

/** Reads an access token, with the role that its person has now. */
async function readAccessToken(
  { database, environment }: Pick<Context, 'database' | 'environment'>,
  token: string,
): Promise<KnownCredential> {
  const found = wellFormed.test(token)
    ? await findAccessToken(database.reader, toTokenHash(token))
    : undefined;
  if (found === undefined) throw new SalonError('invalid_token', 'Unknown API key or access token.');
  const { grant_id, secret_expires_at: end } = found;
  const endMs = grant_id === null && end !== null ? Date.parse(end) : Number.POSITIVE_INFINITY;
  const row = { ...found, expires_ms: Math.min(found.expires_ms, endMs) };
  const user = toPerson(row);
  const role = row.grant_id === null ? row.client_role : user && row.role;
  const refusal = findTokenRefusal(row, role, environment.now());
  // What is refused has no rights.
  return { caller: toTokenCaller(row, { role: role ?? 'viewer', user }), allows: undefined, refusal };
}

function findTokenRefusal(
  { grant_revoked_ms, expires_ms }: AccessTokenRow,
  role: Role | null,
  now: Date,
): SalonError | undefined {
  if (grant_revoked_ms !== null) {
    return invalidToken(`The access was revoked at ${new Date(grant_revoked_ms).toISOString()}.`);
  }
  if (expires_ms <= now.getTime()) {
    return invalidToken(`The access token expired at ${new Date(expires_ms).toISOString()}.`);
  }
  if (role !== null) return undefined;
  return invalidToken('The person who authorized this app is no longer an active member of the account.');
}

function toTokenCaller(
  row: AccessTokenRow,
  { role, user }: { role: Role; user: ServiceUser | null },
): Caller {
  const granted = row.scopes?.split(' ') ?? [];
  return {
    account: toCallerAccount(row),
    role,
    scopes: allScopes.filter((scope) => granted.includes(scope)),
    stylistId: row.stylist_id,
    credential: {
      kind: 'token',
      id: row.grant_id ?? row.client_id,
      app: { id: row.client_id, name: row.client_name ?? builtInApp.name },
      user,
      expiresAt: new Date(row.expires_ms),
      ...(user === null ? { secretBy: row.secret_by } : {}),
    },
  };
}

function toPerson({ user_id, user_name, user_email }: AccessTokenRow): ServiceUser | null {
  if (user_id === null || user_name === null || user_email === null) return null;
  return { id: user_id, name: user_name, email: user_email };
}

function invalidToken(message: string): SalonError {
  return new SalonError('invalid_token', message);
}
