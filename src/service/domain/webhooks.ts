import type { BodyOf } from '../../contract/endpoints.ts';
import { eventPatterns, eventTypes } from '../../contract/events.ts';
import {
  type CreatedWebhook,
  type EventTypeList,
  maxWebhooks,
  type RotatedSecret,
  type Webhook,
} from '../../contract/webhook.ts';
import { createWebhookSecret } from '../../webhooks/signature.ts';
import { cancelDeliveries } from '../db/deliveries/delivery-queue.ts';
import { insertRecord } from '../db/records/records.ts';
import { countWebhooks, deleteWebhookRow, readSecret, replaceSecrets } from '../db/records/webhooks.ts';
import { sealedColumns, toPurpose } from '../db/sealed-columns.ts';
import { recordAudit } from './audit.ts';
import { authorize } from './authorization.ts';
import type { Context } from './context.ts';
import { recordChangeWithoutEvent } from './events.ts';
import { secretOverlapSeconds } from './limits.ts';
import { createListerOfAll } from './list-page.ts';
import {
  createGetter,
  createStoredRecord,
  findStoredRecord,
  type IfMatch,
  isUnchanged,
  notFound,
  type RecordUpdate,
  replaceRecord,
  toStoredRow,
} from './records.ts';
import { assertValidBody, findUnstorable, invalidField } from './validation.ts';
import { transact, transactOn } from './write-record.ts';

export const listWebhooks = createListerOfAll('listWebhooks', 'webhooks');

export const getWebhook = createGetter('getWebhook', 'webhooks');

/** Adds a webhook. The result is the only one with the secret. Throws `validation_failed`. */
export async function createWebhook(
  context: Context,
  body: BodyOf<'createWebhook'>,
): Promise<CreatedWebhook> {
  const { database, environment, caller } = context;
  authorize(caller, 'createWebhook');
  const accountId = caller.account.id;
  const { url, events = ['*'], description = null, active = true } = body;
  const fields = { url, events, description, active, disabled_reason: null };
  assertValidBody(findUnstorable(fields));
  await assertAddress(context, url);
  return database.transaction({ accountId }, async (tx) => {
    if ((await countWebhooks(tx, accountId)) >= maxWebhooks) {
      const detail = `An account can have at most ${maxWebhooks} webhooks. Delete one first.`;
      throw invalidField('', detail, 'out_of_range');
    }
    const webhook = createStoredRecord('webhook', fields, environment);
    const secret = createWebhookSecret(environment.random);
    const sealed = { secret: sealSecret(context, webhook.id, secret), former_secret: null };
    const row = { ...toStoredRow(accountId, 'webhooks', webhook), ...sealed, former_secret_until_ms: null };
    await insertRecord(tx, 'webhooks', row);
    await recordChangeWithoutEvent(tx, context, {
      action: 'webhook.created',
      id: webhook.id,
      object: webhook,
    });
    return { ...webhook, secret };
  });
}

/**
 * Changes the given fields. A webhook that is enabled again gets events from then on.
 * Throws `not_found`, `precondition_failed` and `validation_failed`.
 */
export async function updateWebhook(
  context: Context,
  id: string,
  { change, ifMatch }: RecordUpdate<BodyOf<'updateWebhook'>>,
): Promise<Webhook> {
  const { database, environment, caller } = context;
  authorize(caller, 'updateWebhook');
  const { record: known } = await findStoredRecord(database.reader, caller, { collection: 'webhooks', id });
  assertValidBody(findUnstorable({ url: change.url, description: change.description }));
  if (change.url !== undefined && change.url !== known.url) await assertAddress(context, change.url);
  return database.transaction({ accountId: caller.account.id }, async (tx) => {
    const { record: former } = await findStoredRecord(tx, caller, { collection: 'webhooks', id, ifMatch });
    const merged = mergeWebhook(former, change);
    if (isUnchanged(former, merged)) return former;
    const object = await replaceRecord(tx, context, { collection: 'webhooks', former, object: merged });
    if (object.active !== former.active) {
      const nowMs = environment.now().getTime();
      await cancelDeliveries(tx, { accountId: caller.account.id, webhookId: id, nowMs });
    }
    await recordAudit(tx, context, { action: 'webhook.updated', id, former, object });
    return object;
  });
}

/** Deletes a webhook and its pending deliveries. Throws `not_found` and `precondition_failed`. */
export async function deleteWebhook(
  context: Context,
  id: string,
  { ifMatch }: IfMatch = {},
): Promise<undefined> {
  const wanted = { collection: 'webhooks', id, ifMatch } as const;
  await transactOn(context, 'deleteWebhook', wanted, async (tx, former, { seq }) => {
    await deleteWebhookRow(tx, { accountId: context.caller.account.id, id, seq });
    await recordAudit(tx, context, { action: 'webhook.deleted', id, former });
  });
}

/** Replaces a webhook's secret. The former one also signs until the overlap ends. Throws `not_found`. */
export async function rotateWebhookSecret(context: Context, id: string): Promise<RotatedSecret> {
  const { environment, caller } = context;
  const webhook = { accountId: caller.account.id, id };
  return transact(context, 'rotateWebhookSecret', async (tx) => {
    const former = await readSecret(tx, webhook);
    if (former === undefined) throw notFound('webhook', id);
    const secret = createWebhookSecret(environment.random);
    const untilMs = environment.now().getTime() + secretOverlapSeconds * 1000;
    const sealed = { secret: sealSecret(context, id, secret), former_secret: former };
    await replaceSecrets(tx, webhook, { ...sealed, former_secret_until_ms: untilMs });
    await recordAudit(tx, context, { action: 'webhook.secret_rotated', id });
    return { id, secret, former_secret_until: new Date(untilMs).toISOString() };
  });
}

function sealSecret({ secrets }: Context, id: string, secret: string): string {
  return secrets.seal(secret, toPurpose(sealedColumns.webhookSecret, id));
}

/** All event types and the patterns a webhook can ask for. */
export function listEventTypes({ caller }: Context): EventTypeList {
  authorize(caller, 'listEventTypes');
  return { data: [...eventTypes], patterns: [...eventPatterns] };
}

/** Applies a change: missing fields stay, read-only fields are ignored. An active webhook has no `disabled_reason`. */
function mergeWebhook(current: Webhook, body: BodyOf<'updateWebhook'>): Webhook {
  const { id, disabled_reason, created_at, updated_at, ...change } = body;
  const merged = { ...current, ...change };
  return merged.active ? { ...merged, disabled_reason: null } : merged;
}

/** Checks that the address can receive webhooks. May take seconds, so never in a transaction. */
async function assertAddress({ checkAddress }: Context, url: string): Promise<void> {
  const objection = await checkAddress(url);
  if (objection !== undefined) throw invalidField('/url', `/url cannot be used. ${objection}`);
}
