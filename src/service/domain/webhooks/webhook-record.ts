import type { BodyOf } from '../../../contract/endpoints.ts';
import type { Webhook } from '../../../contract/webhook.ts';
import type { NewRow } from '../../db/tables.ts';
import type { WebhookSecrets } from '../../db/webhooks/webhooks.ts';

/** A webhook's fields but for those that name it and tell its age. */
export type WebhookFields = Omit<Webhook, 'id' | 'created_at' | 'updated_at'>;

/** The fields of a new webhook: it is told everything, unless something else is said. */
export function toWebhookFields(body: BodyOf<'createWebhook'>): WebhookFields {
  const { url, events = ['*'], description = null, active = true } = body;
  return { url, events, description, active, disabled_reason: null };
}

/**
 * Fields with a change made: what is left out stays, what only the service sets is passed over. A webhook that is
 * on has no reason any more why it was switched off.
 */
export function mergeWebhook(current: WebhookFields, body: BodyOf<'updateWebhook'>): WebhookFields {
  const { id, disabled_reason, created_at, updated_at, ...change } = body;
  const merged = { ...current, ...change };
  return merged.active ? { ...merged, disabled_reason: null } : merged;
}

/** The row of a webhook but for its secrets: its record, and what it is found by. */
export function toWebhookRow(
  accountId: string,
  webhook: Webhook,
): Omit<NewRow<'webhooks'>, keyof WebhookSecrets> {
  return {
    account_id: accountId,
    id: webhook.id,
    created_ms: Date.parse(webhook.created_at),
    updated_ms: Date.parse(webhook.updated_at),
    active: webhook.active ? 1 : 0,
    events: JSON.stringify(webhook.events),
    record: JSON.stringify(webhook),
  };
}
