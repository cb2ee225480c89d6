import { type Reader, readColumn, type Writer } from '../engine.ts';
import type { RecordRows } from '../record-rows.ts';
import { toUpdate } from '../rows.ts';
import { deleteRecord, type RecordKey, readRecordTexts } from './records.ts';

type WebhookRow = RecordRows['webhooks'];

export type Subscription = Pick<WebhookRow, 'id' | 'events'>;

export function readSubscriptions(tx: Writer, accountId: string): Promise<Subscription[]> {
  const text = 'select id, events from webhooks where account_id = ? and active = 1';
  return tx.run<Subscription>(text, [accountId]);
}

export async function countWebhooks(reader: Reader, accountId: string): Promise<number> {
  const text = 'select count(*) from webhooks where account_id = ?';
  const [count = 0] = await readColumn<number>(reader, text, [accountId]);
  return count;
}

/** The JSON text of an active webhook; undefined when there is none. */
export async function readActiveWebhook(tx: Writer, { accountId, id }: RecordKey) {
  return (await readRecordTexts(tx, 'webhooks', { account_id: accountId, id, active: 1 }))[0];
}

/** Deletes a webhook and its pending deliveries; the others stay until they expire. */
export async function deleteWebhookRow(
  tx: Writer,
  { accountId, id, seq }: RecordKey & { seq: number },
): Promise<void> {
  await deleteRecord(tx, { accountId, collection: 'webhooks' }, seq);
  const pending = 'from deliveries where account_id = ? and webhook_id = ? and next_ms is not null';
  const attempts = `delete from delivery_attempts where account_id = ? and webhook_id = ?
    and event_seq in (select event_seq ${pending})`;
  await tx.run(attempts, [accountId, id, accountId, id]);
  await tx.run(`delete ${pending}`, [accountId, id]);
}

/** The current secret of a webhook, sealed; undefined when the account has no such webhook. */
export async function readSecret(reader: Reader, { accountId, id }: RecordKey): Promise<string | undefined> {
  const text = 'select secret from webhooks where account_id = ? and id = ?';
  return (await readColumn<string>(reader, text, [accountId, id]))[0];
}

/** Replaces the secrets that sign a webhook's messages, sealed. */
export async function replaceSecrets(
  tx: Writer,
  { accountId, id }: RecordKey,
  secrets: Pick<WebhookRow, 'secret' | 'former_secret' | 'former_secret_until_ms'>,
): Promise<void> {
  await tx.run(...toUpdate('webhooks', secrets, { account_id: accountId, id }));
}

/** A webhook, and when its secret last signed a message. */
export interface WebhookUse {
  /** JSON text. */
  readonly record: string;
  readonly former_until_ms: number | null;
  /** Of the latest deliveries; null if none of them was attempted. */
  readonly last_used_ms: number | null;
}

/** How many deliveries of a webhook are searched for its last use: there may be millions. */
const latestDeliveries = 1000;

/** An account's webhooks, oldest first. */
export function readWebhookUses(reader: Reader, accountId: string): Promise<WebhookUse[]> {
  const latest = `select updated_ms, attempts from deliveries
    where account_id = webhooks.account_id and webhook_id = webhooks.id order by event_seq desc limit ?`;
  const text = `select record, former_secret_until_ms as former_until_ms,
      (select max(updated_ms) from (${latest}) as latest where attempts > 0) as last_used_ms
    from webhooks where account_id = ? order by seq`;
  return reader.run<WebhookUse>(text, [latestDeliveries, accountId]);
}
