import type { Reader, Writer } from './engine.ts';
import { deleteRecord } from './lists/collections.ts';
import type { Tables } from './tables.ts';

type Row = Tables['webhooks'];

/** What a webhook's messages are signed with. */
export type WebhookSecrets = Pick<Row, 'secret' | 'former_secret' | 'former_secret_until_ms'>;

/** A webhook that is told of changes. */
export type Subscription = Pick<Row, 'id' | 'events'>;

/** One webhook of an account. */
export interface WebhookRef {
  readonly accountId: string;
  readonly id: string;
}

/** An account's webhooks that are switched on. Runs with every change. */
export function readSubscriptions(tx: Writer, accountId: string): Promise<Subscription[]> {
  const text = 'select id, events from webhooks where account_id = ? and active = 1';
  return tx.run<Subscription>(text, [accountId]);
}

export async function countWebhooks(reader: Reader, accountId: string): Promise<number> {
  const { count } = await reader
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Removes a webhook and what is on its way to it; what was sent before stays until it is old. */
export async function removeWebhook(
  tx: Writer,
  { accountId, id, seq }: WebhookRef & { seq: number },
): Promise<void> {
  await deleteRecord(tx, { accountId, collection: 'webhooks' }, seq);
  const pending = 'from deliveries where webhook_id = ? and next_ms is not null';
  await tx.run(`delete from delivery_attempts where delivery_id in (select id ${pending})`, [id]);
  await tx.run(`delete ${pending}`, [id]);
}

/** The secret that signs for a webhook; undefined where the account has no such webhook. */
export async function readSecret(reader: Reader, { accountId, id }: WebhookRef): Promise<string | undefined> {
  const row = await reader
    .selectFrom('webhooks')
    .select('secret')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.secret;
}

export async function replaceSecrets(
  tx: Writer,
  { accountId, id }: WebhookRef,
  secrets: WebhookSecrets,
): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set(secrets)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}
