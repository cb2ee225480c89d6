import { type ApiKey, apiKeyStatuses } from '../../contract/api-key.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Stylist } from '../../contract/stylist.ts';
import type { Webhook } from '../../contract/webhook.ts';
import { toNameKey } from '../../text/search-text.ts';
import { readAccountOfKey } from '../db/identity/api-keys.ts';
import { readRecordTexts } from '../db/records/records.ts';
import { readWebhookUses, type WebhookUse } from '../db/records/webhooks.ts';
import { type OperatorServices, toOperatorContext } from '../domain/accounts.ts';
import type { Context } from '../domain/context.ts';
import { notFound } from '../domain/records.ts';
import { type KeyContext, listAllApiKeys, revokeApiKey } from './api-keys.ts';

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
export async function listSecrets(
  context: KeyContext,
  { isComplete }: { readonly isComplete: boolean },
): Promise<ListedSecret[]> {
  const [keys, webhooks] = await Promise.all([
    listAllApiKeys(context, isComplete ? apiKeyStatuses : ['active', 'expired']),
    readWebhookUses(context.database.reader, context.caller.account.id),
  ]);
  const nowMs = context.environment.now().getTime();
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

/** Revokes a key of any account at once. Throws `not_found`. */
export async function revokeOperatorKey(services: OperatorServices, id: string): Promise<void> {
  const accountId = await readAccountOfKey(services.database.reader, id);
  if (accountId === undefined) throw notFound('api_key', id);
  await revokeApiKey(await toOperatorContext(services, accountId), id);
}

/** The stylist with an ID, name or email address. Throws `usage` unless there is exactly one. */
export async function findStylistId(
  { database, caller }: Pick<Context, 'database' | 'caller'>,
  reference: string,
): Promise<string> {
  const records = await readRecordTexts(database.reader, 'stylists', { account_id: caller.account.id });
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
