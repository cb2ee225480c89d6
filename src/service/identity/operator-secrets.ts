import type { ApiKey } from '../../contract/api-key.ts';
import type { Webhook } from '../../contract/webhook.ts';
import type { Database } from '../db/database.ts';
import { readWebhookUses, type WebhookUse } from '../db/records/webhooks.ts';
import { findAccount } from '../domain/accounts.ts';
import type { Environment } from '../domain/context.ts';
import { listOperatorKeys } from './operator-keys.ts';

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
  database: Database,
  environment: Environment,
  input: { readonly accountId?: string; readonly isComplete: boolean },
): Promise<ListedSecret[]> {
  const { id } = await findAccount(database.reader, input.accountId);
  const [keys, webhooks] = await Promise.all([
    listOperatorKeys(database, environment, input),
    readWebhookUses(database.reader, id),
  ]);
  const nowMs = environment.now().getTime();
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
