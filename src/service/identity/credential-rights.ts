import { SalonError } from '../../contract/errors.ts';
import { isNotAbove, type Role, type Scope, scopes } from '../../contract/roles.ts';
import type { Writer } from '../db/engine.ts';
import { readMember } from '../db/identity/accounts.ts';
import { type ApiKeyRow, readCreated, readKey } from '../db/identity/api-keys.ts';
import { noSecretHash, readOauthClient } from '../db/identity/oauth-clients.ts';
import { readGrant } from '../db/identity/oauth-grants.ts';
import type { Caller, Context } from '../domain/context.ts';
import { isRangeWithin } from './address-ranges.ts';
import { toAllowedAddresses } from './api-key-format.ts';

/**
 * Throws `invalid_token` and `permission_denied` if the caller lost their access or their role after the request was
 * authenticated. What they create would otherwise outlast the end of their access. Call it with the account locked.
 */
export async function assertCurrentRights(tx: Writer, { account, role, credential }: Caller): Promise<void> {
  if (credential.kind === 'operator') return;
  if (credential.kind === 'token') {
    const { user, id } = credential;
    const client = user === null ? await readOauthClient(tx, id) : undefined;
    const hasEnded =
      user === null
        ? client?.secret_hash === noSecretHash || client?.secret_by !== credential.secretBy
        : (await readGrant(tx, id))?.revoked_ms !== null;
    if (hasEnded) throw new SalonError('invalid_token', 'The access of this app was revoked a moment ago.');
  }
  if (credential.kind === 'api_key') {
    const key = await readKey(tx, { accountId: account.id, id: credential.id });
    if (key !== undefined && key.revoked_at !== null) {
      throw new SalonError('invalid_token', 'The API key was revoked a moment ago.');
    }
  } else if (credential.user !== null) {
    const member = await readMember(tx, { accountId: account.id, userId: credential.user.id });
    if (member?.role === role) return;
    throw new SalonError('permission_denied', 'Your role in this account was changed a moment ago.');
  }
}

/**
 * Changes who may do what in the caller's account. Its keys and stylists change without the lock of the service, so both
 * are held. Throws like `assertCurrentRights`.
 */
export function changeAccess<Result>(
  { database, caller }: Pick<Context, 'database' | 'caller'>,
  change: (tx: Writer) => Promise<Result>,
): Promise<Result> {
  return database.transaction('service', async (tx) => {
    await tx.lockAccount(caller.account.id);
    await assertCurrentRights(tx, caller);
    return change(tx);
  });
}

/** Throws `permission_denied` for a key with a role above the caller's: only a higher role manages it. */
export function assertRoleNotAbove({ role: own, credential }: Caller, role: Role): void {
  if (isNotAbove(role, own)) return;
  const who = credential.kind === 'api_key' ? 'The API key has' : 'You have';
  const detail = `This needs the role ${role}. ${who} the role ${own}.`;
  throw new SalonError('permission_denied', detail, { members: { required_role: role } });
}

/**
 * Throws when somebody would get a key that may do more than their own credential: `permission_denied` for a higher
 * role or more addresses, `insufficient_scope` for other scopes.
 */
export async function assertMayGrant(
  tx: Writer,
  caller: Caller,
  rights: { role: Role; scopes: readonly Scope[]; addresses: readonly string[] },
): Promise<void> {
  assertRoleNotAbove(caller, rights.role);
  await assertCurrentRights(tx, caller);
  const missing = rights.scopes.find((scope) => !caller.scopes.includes(scope));
  if (missing !== undefined) {
    const detail = `You need the scope ${missing} to create a key with it.`;
    throw new SalonError('insufficient_scope', detail, { members: { scope: missing } });
  }
  const own = await readOwnAddresses(tx, caller);
  const isLimited =
    rights.addresses.length > 0 && rights.addresses.every((range) => isRangeWithin(range, own));
  if (own.length > 0 && !isLimited) {
    const detail = 'Your key is restricted to certain addresses. A new key must have the same restriction.';
    throw new SalonError('permission_denied', detail, { members: { required_role: caller.role } });
  }
}

/** The scopes that a new key gets by default, or a list of all as null: then it has those to come, too. */
export function toStoredScopes(granted: readonly Scope[]): string | null {
  return granted.length === scopes.length ? null : JSON.stringify(granted);
}

/** The addresses that the caller's own key is limited to; empty for no limit. */
export async function readOwnAddresses(
  tx: Writer,
  { account, credential }: Caller,
): Promise<readonly string[]> {
  if (credential.kind !== 'api_key') return [];
  const own = await readKey(tx, { accountId: account.id, id: credential.id });
  return toAllowedAddresses(own?.allowed_addresses ?? null);
}

/**
 * The credential that a key or secret ends with which the caller creates, perhaps in place of a former one, and when that
 * is; null for people, also with the command line, and the operator. A key that rolls itself keeps its own. Throws
 * `permission_denied` for a former one that the caller itself ends with.
 */
export async function readOrigin(
  tx: Writer,
  { account, credential }: Caller,
  former?: Pick<ApiKeyRow, 'id'> & Partial<Pick<ApiKeyRow, 'created_with'>>,
): Promise<{ readonly createdWith: string | null; readonly endsAt: Date | null }> {
  const isApp = credential.kind === 'token' && credential.app.id !== builtInApp.id;
  if (credential.kind !== 'api_key' && !isApp) return { createdWith: null, endsAt: null };
  const isItself = credential.id === former?.id;
  const accountId = account.id;
  if (former && !isItself && (await readCreated(tx, { accountId, id: former.id })).includes(credential.id)) {
    const who = credential.kind === 'api_key' ? 'The API key in use' : 'This app';
    const detail = `${who} was created by the key or app that it would replace, and ends with it. Let a person do that, or the key itself.`;
    throw new SalonError('permission_denied', detail);
  }
  const createdWith = isItself ? (former.created_with ?? null) : credential.id;
  const id = createdWith ?? '';
  const end =
    (await readKey(tx, { accountId, id }))?.expires_at ??
    (await readOauthClient(tx, id))?.secret_expires_at ??
    (await readGrant(tx, id))?.expires_ms;
  return { createdWith, endsAt: end ? new Date(end) : null };
}

/** The command line: a public client of every service, which no account registers. */
export const builtInApp = {
  id: 'salon-cli',
  name: 'Salon command line',
  /** With any port (RFC 8252). */
  redirectUris: ['http://127.0.0.1/callback', 'http://[::1]/callback'],
  scopes,
} as const;
