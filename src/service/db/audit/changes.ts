import type { Reader } from '../engine.ts';
import type { CollectionName } from '../record-rows.ts';
import type { AuditEntryRow } from './entries.ts';

/** An entry, and the record that it is about as it is now. */
export interface EntryWithRecord
  extends Pick<AuditEntryRow, 'seq' | 'hash' | 'action' | 'resource' | 'record_id'> {
  /** JSON; null if there is none, or its kind was not asked for. */
  readonly record: string | null;
}

/** Entries from a position on, with records of some kinds, all as of one moment: it is one statement. */
export function readEntriesWithRecords(
  reader: Reader,
  which: {
    readonly accountId: string;
    readonly seq: number;
    readonly limit: number;
    /** The list of each kind of record. */
    readonly collections: readonly (readonly [resource: string, CollectionName])[];
  },
): Promise<EntryWithRecord[]> {
  const { accountId, seq, limit, collections } = which;
  const records = collections.map(
    ([resource, collection]) => `when page.resource = '${resource}' then
      (select r.record from ${collection} as r where r.account_id = ? and r.id = page.record_id)`,
  );
  const text = `select page.*, case ${records.join(' ')} when page.seq < 0 then '' end as record
    from (select seq, hash, action, resource, record_id from audit_entries
      where account_id = ? and seq >= ? order by seq limit ?) as page order by page.seq`;
  return reader.run(text, [...collections.map(() => accountId), accountId, seq, limit]);
}
