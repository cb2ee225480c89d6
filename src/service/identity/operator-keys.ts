import { type ApiKey, apiKeyStatuses } from '../../contract/api-key.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Role, Scope } from '../../contract/roles.ts';
import type { Stylist } from '../../contract/stylist.ts';
import type { Webhook } from '../../contract/webhook.ts';
import { toNameKey } from '../../text/search-text.ts';
import type { Reader } from '../db/engine.ts';
import { readAccountOfKey } from '../db/identity/api-keys.ts';
import { readRecordTexts } from '../db/records/records.ts';
import { readWebhookUses, type WebhookUse } from '../db/records/webhooks.ts';
import { type OperatorServices, toOperatorContext } from '../domain/accounts.ts';
import { notFound } from '../domain/records.ts';
import { createApiKey, listAllApiKeys, revokeApiKey } from './api-keys.ts';

/** An API key, or a secret that signs a webhook: what to replace after a leak. Contains no secret. */
export interface ListedSecret extends Omit<ApiKey, 'id' | 'role' | 'status'> {
  readonly id: string;
  readonly role: ApiKey['role'] | null;
  /** `disabled` for the secret of a webhook that is. */
  readonly status: ApiKey['status'] | 'disabled';
  readonly kind: 'api_key' | 'webhook_secret';
}

/**
 * All keys of an account, oldest first; with `isComplete` revoked ones, too. Then the secrets of its webhooks, with the
 * latest delivery as last use.
 */
export async function listOperatorSecrets(
  services: OperatorServices,
  { accountId, isComplete }: { readonly accountId?: string | undefined; readonly isComplete: boolean },
): Promise<ListedSecret[]> {
  const context = await toOperatorContext(services, accountId);
  const [keys, webhooks] = await Promise.all([
    listAllApiKeys(context, isComplete ? apiKeyStatuses : ['active', 'expired']),
    readWebhookUses(services.database.reader, context.caller.account.id),
  ]);
  const nowMs = services.environment.now().getTime();
  return [
    ...keys.map((key) => ({ ...key, kind: 'api_key' as const })),
    ...webhooks.flatMap((webhook) => toSecrets(webhook, nowMs)),
  ];
}

/** The secret of a webhook, and the former one as long as it signs, too. */
function toSecrets({ record, last_used_ms, former_until_ms }: WebhookUse, nowMs: number): ListedSecret[] {
  const { id, url, active, created_at } = JSON.parse(record) as Webhook;
  const secret: ListedSecret = {
    ...{ id, name: url, prefix: null, role: null, scopes: [], stylist_id: null, allowed_addresses: [] },
    status: active ? 'active' : 'disabled',
    ...{ created_by: null, created_by_name: null, created_at },
    last_used_at: last_used_ms === null ? null : new Date(last_used_ms).toISOString(),
    ...{ expires_at: null, revoked_at: null, replaced_by: null, created_with: null, created_keys: 0 },
    kind: 'webhook_secret',
  };
  if (former_until_ms === null || former_until_ms <= nowMs) return [secret];
  return [secret, { ...secret, expires_at: new Date(former_until_ms).toISOString() }];
}

export interface NewOperatorKey {
  /** Optional when the database has one account. */
  readonly accountId?: string | undefined;
  readonly role: Role;
  readonly name: string;
  /** Default: all scopes. */
  readonly scopes?: readonly Scope[];
  /** Default: in a year; null for never. */
  readonly expiresAt?: Date | null;
  /**
   * ID, name or email address of the stylist whose calendar the key is limited to. Required with the role stylist,
   * refused with others.
   */
  readonly stylistId?: string | undefined;
  /** Addresses and ranges that the key may be used from; by default any. */
  readonly addresses?: readonly string[];
}

/**
 * Creates a key for an account, which is shown only once. Throws `usage` and `not_found` when the account or the
 * stylist does not exist.
 */
export async function createOperatorKey(
  services: OperatorServices,
  { accountId, stylistId: reference, ...input }: NewOperatorKey,
) {
  const context = await toOperatorContext(services, accountId);
  const account_id = context.caller.account.id;
  assertStylistFits(input.role, reference);
  const stylist_id =
    reference === undefined ? null : await findStylistId(services.database.reader, account_id, reference);
  const { role, name, scopes, expiresAt, addresses } = input;
  const made = await createApiKey(context, {
    ...{ role, name, stylist_id },
    ...(scopes === undefined ? {} : { scopes: [...scopes] }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt?.toISOString() ?? null }),
    ...(addresses === undefined ? {} : { allowed_addresses: [...addresses] }),
  });
  const { id, expires_at, created_at, key, allowed_addresses } = made;
  const shown = { id, role, name: made.name, account_id, stylist_id, expires_at, created_at, key };
  return { ...shown, scopes: made.scopes, allowed_addresses };
}

/** Revokes a key of any account at once. Throws `not_found`. */
export async function revokeOperatorKey(services: OperatorServices, id: string): Promise<void> {
  const accountId = await readAccountOfKey(services.database.reader, id);
  if (accountId === undefined) throw notFound('api_key', id);
  await revokeApiKey(await toOperatorContext(services, accountId), id);
}

function assertStylistFits(role: Role, stylist: string | undefined): void {
  if ((role === 'stylist') === (stylist !== undefined)) return;
  throw role === 'stylist'
    ? new SalonError('usage', 'An API key with the role stylist needs a stylist.', {
        hint: 'Name the stylist: --stylist <who>.',
      })
    : new SalonError('usage', `An API key with the role ${role} cannot be limited to a stylist.`, {
        hint: 'Use --stylist with --role stylist only.',
      });
}

/** The stylist with an ID, name or email address. Throws `usage` unless there is exactly one. */
export async function findStylistId(reader: Reader, accountId: string, reference: string): Promise<string> {
  const records = await readRecordTexts(reader, 'stylists', { account_id: accountId });
  const stylists = records.map((record) => JSON.parse(record) as Stylist);
  const wanted = toNameKey(reference);
  const isMeant = ({ id, email, display_name, first_name, last_name }: Stylist) =>
    id === reference ||
    [email, display_name, first_name, `${first_name ?? ''} ${last_name ?? ''}`].some(
      (name) => wanted !== '' && toNameKey(name ?? '') === wanted,
    );
  const [only, ...others] = stylists.filter(isMeant);
  if (only !== undefined && others.length === 0) return only.id;
  const message =
    only === undefined
      ? `The account has no stylist "${reference}".`
      : `${others.length + 1} stylists match "${reference}": ${[only, ...others].map(({ id }) => id).join(', ')}.`;
  throw new SalonError('usage', message, { hint: 'Use the full name, email address or ID of one stylist.' });
}
