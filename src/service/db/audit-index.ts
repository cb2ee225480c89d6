import { toChainLock } from './audit-chains.ts';
import type { SqlValue } from './conditions.ts';
import type { Database } from './database.ts';
import type { Reader, Writer } from './engine.ts';

// Entries are written with every change, and read seldom. Their index is therefore written later and for many entries
// at once, in the background; until then a read looks through the entries that are not in it yet.

/** Who or what an entry can be found by. */
export interface AuditTarget {
  readonly kind: 'actor' | 'record' | 'client';
  readonly id: string;
}

const columnsOfKind = {
  actor: ['actor_id', 'via_id'],
  record: ['record_id'],
  client: ['client_id', 'former_client_id'],
} as const satisfies Record<AuditTarget['kind'], readonly string[]>;

const hourMs = 3_600_000;
/** Entries per transaction. */
const batchSize = 1000;

/** Brings the index of an account up to date, by one batch of entries. Returns whether there may be more. */
export async function indexAuditLog(
  { reader, transaction }: Pick<Database, 'reader' | 'transaction'>,
  accountId: string,
): Promise<boolean> {
  const [newest] = await readNewest(reader, accountId);
  const { first, last } = await readIndexed(reader, accountId);
  // Almost always there is nothing new, and then nothing is written.
  if (newest === undefined || newest.seq <= last) return false;
  const range = { accountId, after: Math.max(first, last), through: Math.min(newest.seq, last + batchSize) };
  await transaction(toChainLock(accountId), (tx) => indexRange(tx, range));
  return newest.seq > range.through;
}

async function indexRange(
  tx: Writer,
  { accountId, after, through }: { accountId: string; after: number; through: number },
): Promise<void> {
  // Another process may have been faster.
  if ((await readIndexed(tx, accountId)).last >= through) return;
  const { text, values } = renderLinks(accountId, { after, through });
  await tx.run(`insert into audit_links (account_id, target, seq) ${text} on conflict do nothing`, values);
  await tx.run(
    `insert into audit_hours (account_id, hour, first_seq, last_seq)
      select account_id, at_ms / ${hourMs}, min(seq), max(seq) from audit_entries
      where account_id = ? and seq > ? and seq <= ? group by account_id, at_ms / ${hourMs}
      on conflict (account_id, hour) do update set last_seq = excluded.last_seq`,
    [accountId, after, through],
  );
  await tx.run(
    `insert into audit_indexed (account_id, seq) values (?, ?)
      on conflict (account_id) do update set seq = excluded.seq`,
    [accountId, through],
  );
}

/** Deletes what the index has of the entries up to a position, before they are deleted themselves. */
export async function deleteLinksThrough(tx: Writer, accountId: string, seq: number): Promise<void> {
  const { text, values } = renderLinks(accountId, { after: 0, through: seq });
  await tx.run(`delete from audit_links where (account_id, target, seq) in (${text})`, values);
  await tx.run('delete from audit_hours where account_id = ? and last_seq <= ?', [accountId, seq]);
}

/** A select of the positions of all entries with a target, and its values. */
export async function findLinked(
  reader: Reader,
  accountId: string,
  { kind, id }: AuditTarget,
): Promise<{ text: string; values: SqlValue[] }> {
  const { last } = await readIndexed(reader, accountId);
  const columns = columnsOfKind[kind];
  const text = `select seq from audit_links where account_id = ? and target = ? and seq <= ?
    union all select seq from audit_entries where account_id = ? and seq > ?
      and (${columns.map((column) => `${column} = ?`).join(' or ')})`;
  const values = [accountId, toTarget(kind, id), last, accountId, last, ...columns.map(() => id)];
  return { text, values };
}

/** Whether the index of an account is what its entries say. */
export async function isIndexConsistent(reader: Reader, accountId: string): Promise<boolean> {
  const { first, last } = await readIndexed(reader, accountId);
  const links = renderLinks(accountId, { after: first, through: last });
  const ownLinks = 'select account_id, target, seq from audit_links where account_id = ?';
  const hours = `select account_id, at_ms / ${hourMs}, max(seq) from audit_entries
    where account_id = ? and seq > ? and seq <= ? group by account_id, at_ms / ${hourMs}`;
  const ownHours = 'select account_id, hour, last_seq from audit_hours where account_id = ?';
  const differs = (one: string, other: string) =>
    `exists (select * from (${one}) as one except select * from (${other}) as other)`;
  const [row] = await reader.run<{ differs: number }>(
    `select case when ${differs(links.text, ownLinks)} or ${differs(ownLinks, links.text)}
      or ${differs(hours, ownHours)} or ${differs(ownHours, hours)}
      or exists (select 1 from audit_hours as h where account_id = ? and first_seq > (select min(seq)
        from audit_entries as e where e.account_id = ? and e.at_ms / ${hourMs} = h.hour))
      then 1 else 0 end as differs`,
    [
      ...[...links.values, accountId, accountId, ...links.values],
      ...[accountId, first, last, accountId, accountId, accountId, first, last],
      ...[accountId, accountId],
    ],
  );
  return row?.differs === 0;
}

/** Where entries from a time on can be, and those before a time: positions, both inclusive. */
export async function findPeriod(
  reader: Reader,
  accountId: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<{ first: number; last: number }> {
  const indexed = await readIndexed(reader, accountId);
  const [newest] = await readNewest(reader, accountId);
  const [row] = await reader.run<{ first: number | null; last: number | null }>(
    `select min(first_seq) as first, max(last_seq) as last from audit_hours
      where account_id = ? and hour >= ? and hour <= ?`,
    [accountId, Math.floor(fromMs / hourMs), Math.floor(toMs / hourMs)],
  );
  const isComplete = (newest?.seq ?? 0) <= indexed.last;
  return {
    first: row?.first ?? indexed.last + 1,
    last: isComplete ? (row?.last ?? 0) : Number.MAX_SAFE_INTEGER,
  };
}

/** Whether any account was changed in the whole hours between two times, as far as entries are indexed. */
export async function wasUsed(
  reader: Reader,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<boolean> {
  const text = `select 1 as found from accounts as a where exists (select 1 from audit_hours as h
    where h.account_id = a.id and h.hour >= ? and h.hour < ?) limit 1`;
  return (await reader.run(text, [Math.floor(fromMs / hourMs), Math.floor(toMs / hourMs)])).length > 0;
}

/** Up to which entry an account was indexed, and up to which entries were deleted. */
async function readIndexed(reader: Reader, accountId: string): Promise<{ first: number; last: number }> {
  const text = `select (select seq from audit_indexed where account_id = ?) as last,
    (select seq from audit_checkpoints where account_id = ?) as first`;
  const [row] = await reader.run<{ first: number | null; last: number | null }>(text, [accountId, accountId]);
  const first = row?.first ?? 0;
  return { first, last: Math.max(row?.last ?? 0, first) };
}

function readNewest(reader: Reader, accountId: string): Promise<{ seq: number }[]> {
  const text = 'select seq from audit_entries where account_id = ? order by seq desc limit 1';
  return reader.run<{ seq: number }>(text, [accountId]);
}

function renderLinks(
  accountId: string,
  { after, through }: { after: number; through: number },
): { text: string; values: SqlValue[] } {
  const selects = Object.entries(columnsOfKind).flatMap(([kind, columns]) =>
    columns.map(
      (column) => `select account_id, '${kind} ' || ${column} as target, seq from audit_entries
        where account_id = ? and seq > ? and seq <= ? and ${column} is not null`,
    ),
  );
  return { text: selects.join(' union '), values: selects.flatMap(() => [accountId, after, through]) };
}

function toTarget(kind: AuditTarget['kind'], id: string): string {
  return `${kind} ${id}`;
}
