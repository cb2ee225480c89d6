import { CompiledQuery } from 'kysely';
import type { Reader, Writer } from '../engine.ts';
import { addRecord, changeRecords, removeRecord } from '../lists/collections.ts';
import { insertRows } from '../lists/insert-rows.ts';
import type { Tables } from '../tables.ts';

type Row = Tables['webhooks'];

/** A webhook's row but for its place, which the list gives. */
export type WebhookRow = Omit<Row, 'seq'>;

/** What a webhook's messages are signed with. */
export type WebhookSecrets = Pick<Row, 'secret' | 'former_secret' | 'former_secret_until_ms'>;

/** A webhook that is told of changes. */
export type Listener = Pick<Row, 'id' | 'events'>;

/** One webhook of an account. */
export interface WebhookKey {
  readonly accountId: string;
  readonly id: string;
}

/** An account's webhooks that are switched on. Runs with every change. */
export function readListeners(tx: Writer, accountId: string): Promise<Listener[]> {
  const text = 'select id, events from webhooks where account_id = ? and active = 1';
  return tx.run<Listener>(text, [accountId]);
}

export async function countWebhooks(reader: Reader, accountId: string): Promise<number> {
  const { count } = await reader
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

export function insertWebhook(tx: Writer, row: WebhookRow): Promise<void> {
  return addRecord(tx, { accountId: row.account_id, collection: 'webhooks' }, (seq) =>
    insertRows(tx, 'webhooks', [{ ...row, seq }]),
  );
}

/** Replaces what is answered of a webhook; its secrets stay. */
export function replaceWebhook(tx: Writer, row: Omit<WebhookRow, keyof WebhookSecrets>): Promise<void> {
  const replace = (change: typeof row) =>
    tx
      .updateTable('webhooks')
      .set(change)
      .where('account_id', '=', row.account_id)
      .where('id', '=', row.id)
      .execute();
  return changeRecords(tx, { accountId: row.account_id, collection: 'webhooks' }, { rows: [row], replace });
}

/** Removes a webhook and what is on its way to it; what was sent before stays until it is old. */
export async function removeWebhook(
  tx: Writer,
  { accountId, id, seq }: WebhookKey & { seq: number },
): Promise<void> {
  await removeRecord(tx, { accountId, collection: 'webhooks' }, seq);
  const pending = 'from deliveries where webhook_id = ? and next_ms is not null';
  await tx.executeQuery(
    CompiledQuery.raw(`delete from delivery_attempts where delivery_id in (select id ${pending})`, [id]),
  );
  await tx.executeQuery(CompiledQuery.raw(`delete ${pending}`, [id]));
}

/** The secret that signs for a webhook; undefined where the account has no such webhook. */
export async function readSecret(reader: Reader, { accountId, id }: WebhookKey): Promise<string | undefined> {
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
  { accountId, id }: WebhookKey,
  secrets: WebhookSecrets,
): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set(secrets)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}
