import { identifierPrefixes } from '../../../contract/identifiers.ts';
import type { ErasedClient } from '../deliveries/events.ts';
import { type Engine, readColumn, readFirst, type Writer } from '../engine.ts';
import { toUpsert } from '../rows.ts';

/** The result of a request with an idempotency key. */
export interface IdempotencyRecord {
  account_id: string;
  key: string;
  /** SHA-256 of the request, in hexadecimal. */
  request: string;
  /** The record in the result. */
  record_id: string | null;
  /** The client, or the blocked time, whose personal data the result holds. */
  client_id: string | null;
  /** The result as JSON; null once the record was erased. */
  answer: string | null;
  kept_ms: number;
}

/** The result saved under a key since a time; undefined when there is none. */
export function readIdempotencyRecord(
  tx: Writer,
  { accountId, key, sinceMs }: { accountId: string; key: string; sinceMs: number },
) {
  const text = 'select * from idempotency_keys where account_id = ? and key = ? and kept_ms >= ?';
  return readFirst<IdempotencyRecord>(tx, text, [accountId, key, sinceMs]);
}

export async function saveIdempotencyRecord(tx: Writer, record: IdempotencyRecord): Promise<void> {
  await tx.run(...toUpsert('idempotency_keys', record, ['account_id', 'key']));
}

/** A saved result with the personal data of a client. */
export type PersonalResult = Pick<IdempotencyRecord, 'key' | 'record_id'> & { readonly answer: string };

const { delivery } = identifierPrefixes;
/** As in the index for it. */
const isRedelivery = `record_id >= '${delivery}' and record_id < '${delivery.slice(0, -1)}\`'`;

/** The saved results with personal data of a client, and those of redeliveries that may have some. */
export function readResultsOfClient(
  tx: Writer,
  { accountId, clientId, sinceMs = 0 }: ErasedClient,
): Promise<PersonalResult[]> {
  const select = 'select key, record_id, answer from idempotency_keys where account_id = ? and kept_ms >= ?';
  // An event can have texts of two clients.
  const text = `${select} and client_id = ? and answer is not null
    union ${select} and ${isRedelivery} and answer like ?`;
  const scope = [accountId, sinceMs];
  return tx.run<PersonalResult>(text, [...scope, clientId, ...scope, `%"${clientId}"%`]);
}

/** Replaces a saved result; the key stays used. */
export async function replaceResult(
  tx: Writer,
  { accountId, key, answer }: Pick<IdempotencyRecord, 'key' | 'answer'> & Pick<ErasedClient, 'accountId'>,
): Promise<void> {
  const text = 'update idempotency_keys set answer = ? where account_id = ? and key = ?';
  await tx.run(text, [answer, accountId, key]);
}

/** Small enough for a short transaction. */
const maxDeleted = 500;

/** Deletes some results from before a time. Returns whether there may be more. */
export async function deleteExpiredResults(
  { reader, transaction }: Pick<Engine, 'reader' | 'transaction'>,
  expiredBeforeMs: number,
): Promise<boolean> {
  let hasMore = false;
  const expired = `select id from accounts
    where (select min(kept_ms) from idempotency_keys where account_id = accounts.id) < ?`;
  for (const accountId of await readColumn<string>(reader, expired, [expiredBeforeMs])) {
    const text = `delete from idempotency_keys where account_id = ? and kept_ms < ? and key in (
      select key from idempotency_keys where account_id = ? and kept_ms < ? limit ${maxDeleted}) returning 1 as one`;
    const values = [accountId, expiredBeforeMs, accountId, expiredBeforeMs];
    const deleted = await transaction('rows', (tx) => tx.run(text, values));
    hasMore ||= deleted.length === maxDeleted;
  }
  return hasMore;
}
