import type { ActorType } from '../../../contract/audit.ts';
import { type Lock, type Reader, readColumn, readFirst, type Writer } from '../engine.ts';
import { toInsert, toUpsert } from '../rows.ts';

/** An entry. Each account has a chain of them, and the service itself. The database refuses to change them. */
export interface AuditEntryRow {
  /** An account, or `service`. */
  account_id: string;
  /** Position in the chain, from 1, without gaps. */
  seq: number;
  id: string;
  at_ms: number;
  /** Such as `client.updated`. */
  action: string;
  resource: string;
  record_id: string | null;
  /** The client whose personal data the values hold. */
  client_id: string | null;
  /** The client that the record belonged to before the change, if that was another one. */
  former_client_id: string | null;
  actor_type: ActorType;
  actor_id: string | null;
  actor_name: string | null;
  /** The app or session that a person used. */
  via_type: 'app' | 'session' | null;
  via_id: string | null;
  via_name: string | null;
  address: string | null;
  request_id: string | null;
  /** `before`, `after` and `details` as JSON, without the personal data of clients. */
  changes: string | null;
  /** The salted digest of the values with personal data of clients. */
  values_digest: string | null;
  /** SHA-256 of the former entry's hash and of all columns above. */
  hash: string;
}

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

/** A select of the positions of all entries with a target; each of its columns has an index. */
export function selectTarget(accountId: string, { kind, id }: AuditTarget) {
  const selects = columnsOfKind[kind].map(
    (column) => `select seq from audit_entries where account_id = ? and ${column} = ?`,
  );
  return { text: selects.join(' union '), values: selects.flatMap(() => [accountId, id]) };
}

export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

/** The last entry, and the bytes of the texts of all entries up to it. */
export interface ChainEnd extends ChainHead {
  readonly stored_bytes: number;
}

/** Values with personal data of clients, and the salt of their digest. Erasing them does not break the chain. */
export interface SaltedValues {
  readonly salt: string;
  /** `before` and `after` as JSON. */
  readonly body: string;
}

/** An entry, with its values unless they were erased. */
export type AuditEntryWithValues = AuditEntryRow & Partial<Record<keyof SaltedValues, string | null>>;

/** The last entry of an account's chain; undefined for a chain without entries. Pruning always leaves one. */
export function readChainEnd(reader: Reader, accountId: string) {
  const text = `select seq, hash, stored_bytes from audit_entries
    where account_id = ? order by seq desc limit 1`;
  return readFirst<ChainEnd>(reader, text, [accountId]);
}

/** Appends an entry. `storedBytes` is the size of all texts up to it, with its values, which have their own table. */
export async function insertEntry(tx: Writer, row: AuditEntryRow, storedBytes: number): Promise<void> {
  await tx.run(...toInsert('audit_entries', [{ ...row, stored_bytes: storedBytes }]));
}

export async function insertValues(
  tx: Writer,
  { account_id, seq }: Pick<AuditEntryRow, 'account_id' | 'seq'>,
  { salt, body }: SaltedValues,
): Promise<void> {
  await tx.run(...toInsert('audit_values', [{ account_id, seq, salt, body }]));
}

/** The invitations to an address of which the log still has the values. */
export function readInvitationsTo(reader: Reader, accountId: string, email: string) {
  const text = `select distinct e.record_id from audit_entries as e
    join audit_values as held on held.account_id = e.account_id and held.seq = e.seq
    where e.account_id = ? and e.resource = 'invitation' and lower(held.body) like ? escape '!'`;
  const pattern = `%"email":${JSON.stringify(email.toLowerCase()).replaceAll(/[!%_]/g, '!$&')}%`;
  return readColumn<string>(reader, text, [accountId, pattern]);
}

/** Deletes values about a client or record, all of them or those since a time. Returns how many entries had some. */
export async function deleteValuesOf(
  tx: Writer,
  { accountId, subject, sinceMs }: { accountId: string; subject: AuditTarget; sinceMs: number },
): Promise<number> {
  const { text: found, values } = selectTarget(accountId, subject);
  const text = `delete from audit_values where account_id = ? and seq in (
    select e.seq from (${found}) as found
    join audit_entries as e on e.account_id = ? and e.seq = found.seq and e.at_ms >= ?) returning seq`;
  return (await tx.run(text, [accountId, ...values, accountId, sinceMs])).length;
}

/** A refusal as recorded; `changes` has its details. */
export type RefusalRow = Pick<AuditEntryRow, 'actor_id' | 'address' | 'changes'>;

/** The refusals in a chain since a time, at most `limit`. */
export function readRefusals(
  reader: Reader,
  { accountId, sinceMs, limit }: { accountId: string; sinceMs: number; limit: number },
): Promise<RefusalRow[]> {
  const text = `select actor_id, address, changes from audit_entries
    where account_id = ? and action = 'access.refused' and at_ms >= ? limit ?`;
  return reader.run<RefusalRow>(text, [accountId, sinceMs, limit]);
}

/** All accounts, and chains of which only remains are left. */
export function readChains(reader: Reader) {
  const tables = ['entries', 'values', 'checkpoints', 'settings'];
  const text = `select id as account_id from accounts
    ${tables.map((table) => `union select account_id from audit_${table}`).join(' ')} order by account_id`;
  return readColumn<string>(reader, text, []);
}

/** Where the remaining chain begins; undefined if nothing was ever deleted. */
export function readCheckpoint(reader: Reader, accountId: string) {
  const text = 'select seq, hash from audit_checkpoints where account_id = ?';
  return readFirst<ChainHead>(reader, text, [accountId]);
}

const maxNumber = Number.MAX_SAFE_INTEGER;
/** A time that was altered to a number beyond JavaScript's safe integers is read as null. */
const boundedColumns = `e.account_id, e.seq, e.id,
  case when e.at_ms between -${maxNumber} and ${maxNumber} then e.at_ms end as at_ms,
  e.action, e.resource, e.record_id, e.client_id, e.former_client_id, e.actor_type, e.actor_id, e.actor_name,
  e.via_type, e.via_id, e.via_name, e.address, e.request_id, e.changes, e.values_digest, e.hash`;
/** Altered positions may exceed JavaScript's safe integers. */
const boundedSeq = `case when seq > ${maxNumber} then ${maxNumber} else seq end as seq`;

/** Entries behind a position, with their values, in order. */
export function readEntriesAfter(
  reader: Reader,
  { accountId, seq, limit }: { accountId: string; seq: number; limit: number },
): Promise<AuditEntryWithValues[]> {
  const text = `select ${boundedColumns}, held.salt, held.body from audit_entries as e
    left join audit_values as held on held.account_id = e.account_id and held.seq = e.seq
    where e.account_id = ? and e.seq > ? and e.seq <= ${maxNumber} order by e.seq limit ?`;
  return reader.run<AuditEntryWithValues>(text, [accountId, seq, limit]);
}

/** Positions of values whose entry does not exist, at most `limit`. */
export function readOrphanedValues(
  reader: Reader,
  { accountId, limit }: { accountId: string; limit: number },
) {
  const text = `select ${boundedSeq} from audit_values as held where account_id = ? and not exists
    (select 1 from audit_entries as e where e.account_id = held.account_id and e.seq = held.seq)
    order by held.seq limit ?`;
  return readColumn<number>(reader, text, [accountId, limit]);
}

/** Positions of entries at or in front of a position, and of those beyond all numbers; at most `limit`. */
export function readStrayEntries(
  reader: Reader,
  { accountId, seq, limit }: { accountId: string; seq: number; limit: number },
) {
  const text = `select ${boundedSeq} from audit_entries
    where account_id = ? and (seq <= ? or seq > ${maxNumber}) order by seq limit ?`;
  return readColumn<number>(reader, text, [accountId, seq, limit]);
}

/** How long an account keeps its entries, in days; undefined if it has not chosen. */
export async function readKeptDays(reader: Reader, accountId: string): Promise<number | undefined> {
  const text = 'select kept_days from audit_settings where account_id = ?';
  return (await readColumn<number>(reader, text, [accountId]))[0];
}

export async function saveKeptDays(tx: Writer, accountId: string, days: number): Promise<void> {
  await tx.run(...toUpsert('audit_settings', { account_id: accountId, kept_days: days }, ['account_id']));
}

/**
 * Entries from before a time at the begin of a chain, without its last one. Those dated after `nowMs`, by a clock that was
 * wrong, do not count, but go with an older one that follows. `first` is the position of the first entry.
 */
export function readExpiredEntries(
  reader: Reader,
  which: { accountId: string; beforeMs: number; nowMs: number; limit: number },
): Promise<(ChainHead & { first: number })[]> {
  const { accountId, beforeMs, nowMs, limit } = which;
  const seqs = 'select seq from audit_entries where account_id = ?';
  const text = `select seq, hash, (${seqs} order by seq limit 1) as first from audit_entries
    where account_id = ? and at_ms < ? and seq < coalesce((${seqs} and at_ms between ? and ? order by seq limit 1),
      (${seqs} order by seq desc limit 1)) order by seq limit ?`;
  return reader.run(text, [accountId, accountId, beforeMs, accountId, beforeMs, nowMs, accountId, limit]);
}

/** Deletes the entries of a chain up to a position, which becomes its checkpoint. */
export async function deleteEntriesThrough(
  tx: Writer,
  accountId: string,
  { seq, hash }: ChainHead,
): Promise<void> {
  await tx.run(...toUpsert('audit_checkpoints', { account_id: accountId, seq, hash }, ['account_id']));
  for (const table of ['audit_values', 'audit_entries']) {
    await tx.run(`delete from ${table} where account_id = ? and seq <= ?`, [accountId, seq]);
  }
}

/** Whether any account was changed between two times, the second exclusive. */
export async function wasUsed(
  reader: Reader,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<boolean> {
  const text = `select 1 as found from accounts as a where exists (select 1 from audit_entries as e
    where e.account_id = a.id and e.at_ms >= ? and e.at_ms < ?) limit 1`;
  return (await reader.run(text, [fromMs, toMs])).length > 0;
}

/** The chain of entries that concern no account. */
export const serviceChain = 'service';

export function toChainLock(chain: string): Lock {
  return chain === serviceChain ? serviceChain : { accountId: chain };
}
