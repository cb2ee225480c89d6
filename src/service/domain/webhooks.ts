import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import { eventPatterns, eventTypes } from '../../contract/events.ts';
import {
  type CreatedWebhook,
  type EventTypeList,
  maxWebhooks,
  type RotatedSecret,
  secretOverlapSeconds,
  type Webhook,
} from '../../contract/webhook.ts';
import { createWebhookSecret } from '../../webhooks/secret.ts';
import { cancelDeliveries } from '../db/delivery-queue.ts';
import type { Reader, Writer } from '../db/engine.ts';
import { insertRecord, readRecord, updateRecords } from '../db/records.ts';
import type { NewRow } from '../db/tables.ts';
import {
  countWebhooks,
  deleteWebhookRow,
  readSecret,
  replaceSecrets,
  type WebhookSecrets,
} from '../db/webhooks.ts';
import { authorize } from './authorization.ts';
import type { Context } from './context.ts';
import { assertStorableQuery, type PageOfCollection, readCollectionPage } from './list-page.ts';
import { assertIfMatch, createId, nextUpdatedAt, notFound } from './records.ts';
import { findUnstorable, invalidBody } from './validation.ts';

/** What a webhook is changed by. */
export interface WebhookUpdate {
  readonly change: BodyOf<'updateWebhook'>;
  /** The tags one of which the webhook must have; any will do where this is left out. */
  readonly ifMatch?: readonly string[] | undefined;
}

/** One page of the webhooks, without their secrets. Throws `invalid_parameter`. */
export async function listWebhooks(
  context: Context,
  query: QueryOf<'listWebhooks'>,
): Promise<PageOfCollection> {
  authorize(context.caller, 'listWebhooks');
  assertStorableQuery(query);
  return readCollectionPage(context, { collection: 'webhooks', query, conditions: [] });
}

export async function getWebhook(context: Context, id: string): Promise<Webhook> {
  authorize(context.caller, 'getWebhook');
  return (await readWebhook(context.database.reader, context, id)).webhook;
}

/** Adds a webhook. Its secret is answered here and never again. Throws `validation_failed`. */
export async function createWebhook(
  context: Context,
  body: BodyOf<'createWebhook'>,
): Promise<CreatedWebhook> {
  const { database, environment, caller } = context;
  authorize(caller, 'createWebhook');
  const accountId = caller.account.id;
  const fields = newWebhookFields(body);
  assertStorable(fields);
  await assertAddress(context, fields.url);
  return database.transaction(async (tx) => {
    await assertRoom(tx, accountId);
    const now = environment.now().toISOString();
    const webhook = { id: createId('webhook', environment), ...fields, created_at: now, updated_at: now };
    const secret = createWebhookSecret(environment.random);
    const secrets = { secret, former_secret: null, former_secret_until_ms: null };
    await insertRecord(tx, 'webhooks', { ...toWebhookRow(accountId, webhook), ...secrets });
    return { ...webhook, secret };
  });
}

/**
 * Changes the fields given and no others. One that is switched on again is told what happens from then on.
 * Throws `not_found`, `precondition_failed` and `validation_failed`.
 */
export async function updateWebhook(
  context: Context,
  id: string,
  { change, ifMatch }: WebhookUpdate,
): Promise<Webhook> {
  const { database, environment, caller } = context;
  authorize(caller, 'updateWebhook');
  const { webhook: known } = await readWebhook(database.reader, context, id);
  assertStorable({ url: change.url, description: change.description });
  if (change.url !== undefined && change.url !== known.url) {
    await assertAddress(context, change.url);
  }
  return database.transaction(async (tx) => {
    const { webhook } = await readWebhook(tx, context, id);
    assertIfMatch(webhook, ifMatch);
    const { id: _, created_at, updated_at: __, ...current } = webhook;
    const fields = mergeWebhook(current, change);
    if (JSON.stringify(fields) === JSON.stringify(current)) {
      return webhook;
    }
    const changed = { id, ...fields, created_at, updated_at: nextUpdatedAt(webhook, environment.now()) };
    await updateRecords(tx, 'webhooks', [toWebhookRow(caller.account.id, changed)]);
    if (changed.active !== webhook.active) {
      await cancelDeliveries(tx, { webhookId: id, nowMs: environment.now().getTime() });
    }
    return changed;
  });
}

/** Removes a webhook and what is on its way to it. Throws `not_found` and `precondition_failed`. */
export async function deleteWebhook(
  context: Context,
  id: string,
  { ifMatch }: { readonly ifMatch?: readonly string[] | undefined } = {},
): Promise<void> {
  const { database, caller } = context;
  authorize(caller, 'deleteWebhook');
  await database.transaction(async (tx) => {
    const { webhook, seq } = await readWebhook(tx, context, id);
    assertIfMatch(webhook, ifMatch);
    await deleteWebhookRow(tx, { accountId: caller.account.id, id, seq });
  });
}

/** Gives a webhook another secret. The one before it signs too, until the overlap is over. Throws `not_found`. */
export async function rotateWebhookSecret(context: Context, id: string): Promise<RotatedSecret> {
  const { database, environment, caller } = context;
  authorize(caller, 'rotateWebhookSecret');
  const key = { accountId: caller.account.id, id };
  return database.transaction(async (tx) => {
    const former = await readSecret(tx, key);
    if (former === undefined) {
      throw notFound('webhook', id);
    }
    const secret = createWebhookSecret(environment.random);
    const untilMs = environment.now().getTime() + secretOverlapSeconds * 1000;
    await replaceSecrets(tx, key, { secret, former_secret: former, former_secret_until_ms: untilMs });
    return { id, secret, former_secret_until: new Date(untilMs).toISOString() };
  });
}

/** Every event there is, and what a webhook can ask for. */
export function listEventTypes({ caller }: Context): EventTypeList {
  authorize(caller, 'listEventTypes');
  return { data: [...eventTypes], patterns: [...eventPatterns] };
}

/** A webhook of the account, and its place in the list. Throws `not_found`. */
export async function readWebhook(
  reader: Reader,
  { caller }: Context,
  id: string,
): Promise<{ webhook: Webhook; seq: number }> {
  const found = await readRecord(reader, 'webhooks', { accountId: caller.account.id, id });
  if (found === undefined) {
    throw notFound('webhook', id);
  }
  return { webhook: JSON.parse(found.record), seq: found.seq };
}

function assertStorable(fields: object): void {
  const violations = findUnstorable(fields);
  if (violations.length > 0) {
    throw invalidBody(violations);
  }
}

/** Asks whether the address can be delivered to, which may take seconds: never within a transaction. */
async function assertAddress({ checkAddress }: Context, url: string): Promise<void> {
  const objection = await checkAddress(url);
  if (objection !== undefined) {
    const detail = `/url cannot be used. ${objection}`;
    throw invalidBody([{ pointer: '/url', code: 'invalid_format', detail }]);
  }
}

async function assertRoom(tx: Writer, accountId: string): Promise<void> {
  if ((await countWebhooks(tx, accountId)) >= maxWebhooks) {
    const detail = `An account can have ${maxWebhooks} webhooks; remove one first.`;
    throw invalidBody([{ pointer: '', code: 'out_of_range', detail }]);
  }
}

/** A webhook's fields but for those that name it and tell its age. */
export type WebhookFields = Omit<Webhook, 'id' | 'created_at' | 'updated_at'>;

/** The fields of a new webhook: it is told everything, unless something else is said. */
export function newWebhookFields(body: BodyOf<'createWebhook'>): WebhookFields {
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
