import type { ChainEnd } from '../audit/entries.ts';
import type { Reader } from '../engine.ts';
import type { CollectionKey } from '../pages.ts';
import type { LastEvent } from './events.ts';

/** Where the lists of an account end, and how much it stores. Stays true as long as the account is locked. */
export interface LogEnds {
  /** The last position given out in the collection. */
  readonly lastSeq: number;
  /** Whether the account has an active webhook. */
  readonly hasWebhook: boolean;
  /** Undefined without events. */
  readonly event: LastEvent | undefined;
  readonly entry: ChainEnd | undefined;
  /** The bytes of its texts: records, bodies of events, and the audit log. */
  readonly storedBytes: number;
}

interface Row {
  readonly last_seq: number;
  readonly has_webhook: 0 | 1;
  readonly event_seq: number | null;
  readonly event_bytes: number;
  readonly entry_seq: number | null;
  readonly entry_bytes: number;
  readonly hash: string;
  readonly bytes: number;
}

const last = (table: string) =>
  `(select * from ${table} where account_id = ? order by seq desc limit 1) as last_${table} on 1 = 1`;

/** What the rows of a log have stored since its oldest one, by their running totals. */
const ofLog = (table: string) => `coalesce(last_${table}.stored_bytes - (select first.stored_bytes
  from ${table} as first where first.account_id = ? order by first.seq limit 1), 0)`;

const text = `
  select (select last_seq from collections where account_id = ? and name = ?) as last_seq,
    case when exists (select 1 from webhooks where account_id = ? and active = 1) then 1 else 0 end as has_webhook,
    last_events.seq as event_seq, last_events.stored_bytes as event_bytes,
    last_audit_entries.seq as entry_seq, last_audit_entries.stored_bytes as entry_bytes, last_audit_entries.hash as hash,
    cast((select coalesce(sum(bytes), 0) from collections where account_id = ?)
      + ${ofLog('events')} + ${ofLog('audit_entries')} as bigint) as bytes
  from (select 1) as one left join ${last('events')} left join ${last('audit_entries')}`;

/** Reads what a new record of a collection, its event and its audit entry follow. */
export async function readLogEnds(
  reader: Reader,
  { accountId, collection }: CollectionKey,
): Promise<LogEnds> {
  const [row] = await reader.run<Row>(text, [accountId, collection, ...Array(6).fill(accountId)]);
  if (row === undefined) throw new Error('A query without conditions returned no row.');
  const { last_seq, has_webhook, event_seq, event_bytes, entry_seq, entry_bytes, hash, bytes } = row;
  return {
    lastSeq: last_seq,
    hasWebhook: has_webhook === 1,
    event: event_seq === null ? undefined : { seq: event_seq, stored_bytes: event_bytes },
    entry: entry_seq === null ? undefined : { seq: entry_seq, stored_bytes: entry_bytes, hash },
    storedBytes: bytes,
  };
}
