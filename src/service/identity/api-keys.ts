import {
  type ApiKey,
  type ApiKeyStatus,
  apiKeyDays,
  apiKeyStatuses,
  type CreatedApiKey,
  maxApiKeys,
  type RolledApiKey,
  rollOverlapSeconds,
} from '../../contract/api-key.ts';
import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import type { SalonError } from '../../contract/errors.ts';
import { dayMs, lastInstantMs } from '../../time/time.ts';
import type { Reader, Writer } from '../db/engine.ts';
import { readSandbox } from '../db/identity/accounts.ts';
import {
  type ApiKeyRow,
  countActiveKeys,
  insertKey,
  type NamedKeyRow,
  readKey,
  readKeyPage,
  replaceKey,
  revokeKey,
} from '../db/identity/api-keys.ts';
import { recordAudit, toActor } from '../domain/audit.ts';
import { authorize } from '../domain/authorization.ts';
import { type Context, toHolder } from '../domain/context.ts';
import { cutPage, type PageOfRecords, parsePaging, toDataJson } from '../domain/list-page.ts';
import { createId, notFound } from '../domain/records.ts';
import { revokeWithCreated } from '../domain/revoke-access.ts';
import { invalidBody, invalidQuery } from '../domain/validation.ts';
import { transact } from '../domain/write-record.ts';
import {
  assertKeyStylist,
  createKeyText,
  parseNewKey,
  parseStoredScopes,
  toAllowedAddresses,
  toApiKey,
  toShownPrefix,
} from './api-key-format.ts';
import {
  assertMayGrant,
  assertRoleNotAbove,
  readOrigin,
  readOwnAddresses,
  toStoredScopes,
} from './credential-rights.ts';
import { toTokenHash } from './tickets.ts';

export type KeyContext = Pick<Context, 'database' | 'environment' | 'caller' | 'source' | 'notify'>;

/** One page of the account's keys, oldest first; without revoked ones unless asked. Throws `invalid_parameter`. */
export async function listApiKeys(
  { database, environment, caller }: KeyContext,
  query: QueryOf<'listApiKeys'>,
): Promise<PageOfRecords> {
  authorize(caller, 'listApiKeys');
  const accountId = caller.account.id;
  const statuses = parseStatuses(query.status);
  const paging = parsePaging([accountId, 'api_keys'], query);
  const now = environment.now();
  const limit = paging.perPage + 1;
  const request = { accountId, statuses, now: now.toISOString(), from: paging.from, limit };
  const found = await readKeyPage(database.reader, request);
  const { shown, ...page } = cutPage(paging, found, ({ id }) => ({ value: id, seq: 0 }));
  return { ...page, dataJson: toDataJson(shown.map((row) => toApiKey(row, now))) };
}

/** All keys of the account with one of the statuses, oldest first. */
export async function listAllApiKeys(
  { database, environment, caller }: KeyContext,
  statuses: readonly ApiKeyStatus[],
): Promise<ApiKey[]> {
  authorize(caller, 'listApiKeys');
  const now = environment.now();
  const request = { accountId: caller.account.id, statuses, now: now.toISOString() };
  const { rows } = await readKeyPage(database.reader, { ...request, from: { offset: 0 } });
  return rows.map((row) => toApiKey(row, now));
}

/** A key of the account. Throws `not_found`. */
export async function getApiKey({ database, environment, caller }: KeyContext, id: string): Promise<ApiKey> {
  authorize(caller, 'listApiKeys');
  const now = environment.now();
  return toApiKey(await findKey(database.reader, caller.account.id, { id, now }), now);
}

/**
 * Creates a key that may do no more than the caller. The result is the only one with the key itself.
 * Throws `validation_failed`, `permission_denied` and `insufficient_scope`.
 */
export async function createApiKey(
  context: KeyContext,
  body: BodyOf<'createApiKey'>,
): Promise<CreatedApiKey> {
  const { database, environment, caller } = context;
  authorize(caller, 'createApiKey');
  const now = environment.now();
  const { name, role, scopes = caller.scopes, stylistId, expiresAt, addresses } = parseNewKey(body, now);
  const defaultExpiry = new Date(now.getTime() + apiKeyDays * dayMs);
  const created = await database.transaction({ accountId: caller.account.id }, async (tx) => {
    const allowed = addresses ?? (await readOwnAddresses(tx, caller));
    await assertMayGrant(tx, caller, { role, scopes, addresses: allowed });
    await assertKeyStylist(tx, caller.account.id, stylistId);
    await assertBelowMaximum(tx, caller.account.id, now);
    const { createdWith, endsAt } = await readOrigin(tx, caller);
    assertExpiryWithin(expiresAt, endsAt);
    const validUntil = toEarlier(expiresAt === undefined ? defaultExpiry : expiresAt, endsAt);
    return addKey(tx, context, {
      name,
      role,
      scopes: toStoredScopes(scopes),
      stylist_id: stylistId,
      allowed_addresses: allowed.length === 0 ? null : JSON.stringify(allowed),
      expires_at: validUntil?.toISOString() ?? null,
      lifetime_ms: validUntil === null ? null : validUntil.getTime() - now.getTime(),
      created_with: createdWith,
    });
  });
  notifyKeyHolder(context);
  return created;
}

/** Revokes a key at once, with everything that it created. Throws `not_found` and `permission_denied`. */
export async function revokeApiKey(context: KeyContext, id: string): Promise<undefined> {
  const { environment, caller } = context;
  await transact(context, 'revokeApiKey', async (tx) => {
    const now = environment.now();
    const former = await findKey(tx, caller.account.id, { id, now });
    assertRoleNotAbove(caller, former.role);
    const revoked_at = now.toISOString();
    if (former.revoked_at === null) {
      await revokeKey(tx, id, revoked_at);
      await recordAudit(tx, context, {
        action: 'api_key.revoked',
        id,
        former: toApiKey(former, now),
        object: toApiKey({ ...former, revoked_at }, now),
      });
    }
    await revokeWithCreated(tx, context, { ids: [id], accountId: caller.account.id, actor: toActor(caller) });
  });
}

/**
 * Replaces a key by a new one with the same rights, which is valid as long as the former was from its creation, but no
 * longer than what creates it. The former one and the keys that it created stay valid for the overlap, but never longer
 * than before; until then it can be rolled again.
 * Throws `not_found`, `permission_denied`, `insufficient_scope`, and `validation_failed` for a key that is not active.
 */
export async function rollApiKey(
  context: KeyContext,
  id: string,
  { overlap_seconds: overlapSeconds = rollOverlapSeconds.default }: BodyOf<'rollApiKey'>,
): Promise<RolledApiKey> {
  const { database, environment, caller } = context;
  authorize(caller, 'rollApiKey');
  const now = environment.now();
  const rolled = await database.transaction({ accountId: caller.account.id }, async (tx) => {
    const former = await findKey(tx, caller.account.id, { id, now });
    const { name, role, scopes, stylist_id, allowed_addresses, lifetime_ms } = former;
    await assertMayGrant(tx, caller, {
      role,
      scopes: parseStoredScopes(scopes),
      addresses: toAllowedAddresses(allowed_addresses),
    });
    assertActive(former, now);
    await assertKeyStylist(tx, caller.account.id, stylist_id);
    // The first roll does not count, so that a full account can still replace its keys.
    if (former.replaced_by !== null) await assertBelowMaximum(tx, caller.account.id, now);
    const { createdWith, endsAt } = await readOrigin(tx, caller, former);
    const lifetimeEnd =
      lifetime_ms === null ? null : new Date(Math.min(now.getTime() + lifetime_ms, lastInstantMs));
    const expiresAt = toEarlier(lifetimeEnd, endsAt);
    if (expiresAt !== null && expiresAt <= now) throw inactive('The key that created it has expired.');
    const made = await addKey(tx, context, {
      ...{ name, role, scopes, stylist_id, allowed_addresses, lifetime_ms, created_with: createdWith },
      expires_at: expiresAt?.toISOString() ?? null,
    });
    const untilMs = now.getTime() + overlapSeconds * 1000;
    const until = new Date(
      former.expires_at === null ? untilMs : Math.min(untilMs, Date.parse(former.expires_at)),
    ).toISOString();
    await replaceKey(tx, former, { replacedBy: made.id, expiresAt: until });
    await recordAudit(tx, context, {
      action: 'api_key.rolled',
      id,
      former: toApiKey(former, now),
      object: toApiKey({ ...former, replaced_by: made.id, expires_at: until }, now),
    });
    return { ...made, former_id: id, former_expires_at: until };
  });
  notifyKeyHolder(context);
  return rolled;
}

function notifyKeyHolder(context: KeyContext): void {
  const person = toHolder(context.caller.credential);
  if (person !== null) context.notify?.(context, person, 'A new API key was created in your name');
}

type KeyFields = Pick<
  ApiKeyRow,
  | 'name'
  | 'role'
  | 'scopes'
  | 'stylist_id'
  | 'allowed_addresses'
  | 'expires_at'
  | 'lifetime_ms'
  | 'created_with'
>;

/** Stores a new key and records that. The result is the only one with the key itself. */
async function addKey(tx: Writer, context: KeyContext, fields: KeyFields): Promise<CreatedApiKey> {
  const { environment } = context;
  const { account, credential } = context.caller;
  const now = environment.now();
  const id = createId('api_key', environment);
  const isSandbox = await readSandbox(tx, account.id);
  const key = createKeyText((size) => environment.random(size), { isSandbox });
  await insertKey(tx, {
    ...fields,
    id,
    account_id: account.id,
    hash: toTokenHash(key),
    prefix: toShownPrefix(key),
    created_by: toHolder(credential)?.id ?? null,
    created_at: now.toISOString(),
    revoked_at: null,
    last_used_ms: null,
    replaced_by: null,
  });
  const object = toApiKey(await findKey(tx, account.id, { id, now }), now);
  await recordAudit(tx, context, { action: 'api_key.created', id, object });
  return { ...object, key };
}

/** A default is shortened without an error; what was asked for is not. */
function assertExpiryWithin(asked: Date | null | undefined, endsAt: Date | null): void {
  if (asked === undefined || endsAt === null || (asked !== null && asked <= endsAt)) return;
  const detail = `/expires_at must not be after ${endsAt.toISOString()}, when the credential in use ends: a key ends with what created it.`;
  throw invalidBody([{ pointer: '/expires_at', code: 'out_of_range', detail }]);
}

function toEarlier(one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other < one) ? other : one;
}

async function findKey(
  reader: Reader,
  accountId: string,
  { id, now }: { id: string; now: Date },
): Promise<NamedKeyRow> {
  const found = await readKey(reader, { accountId, id, now: now.toISOString() });
  if (found === undefined) throw notFound('api_key', id);
  return found;
}

function assertActive(row: NamedKeyRow, now: Date): void {
  const { status } = toApiKey(row, now);
  if (status !== 'active') throw inactive(`The key is ${status}.`);
}

function inactive(problem: string): SalonError {
  return invalidBody([{ pointer: '', code: 'inactive', detail: `${problem} Create a new one.` }]);
}

async function assertBelowMaximum(tx: Writer, accountId: string, now: Date): Promise<void> {
  if ((await countActiveKeys(tx, accountId, now.toISOString())) < maxApiKeys) return;
  const detail = `An account can have at most ${maxApiKeys} active API keys. Revoke one first.`;
  throw invalidBody([{ pointer: '', code: 'out_of_range', detail }]);
}

function parseStatuses(text = 'active,expired'): readonly ApiKeyStatus[] {
  const wanted = text.split(',');
  const unknown = wanted.find((status) => !apiKeyStatuses.some((known) => known === status));
  if (unknown !== undefined) {
    const detail = `status "${unknown}" is not one of ${apiKeyStatuses.join(', ')}.`;
    throw invalidQuery([{ parameter: 'status', code: 'invalid_format', detail }]);
  }
  return apiKeyStatuses.filter((status) => wanted.includes(status));
}
