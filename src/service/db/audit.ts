import type { AuditTables } from './audit-tables.ts';
import type { SqlValue } from './conditions.ts';
import type { Reader, Writer } from './engine.ts';

export type AuditEntryRow = AuditTables['audit_entries'];

/** The chain of entries that concern no account. */
export const serviceChain = 'service';

/** The last entry of a chain. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

/** Values with personal data of clients, and the salt of their digest. */
export type SaltedValues = Pick<AuditTables['audit_values'], 'salt' | 'body'>;

/** In the order of the table. */
const columns = [
  'account_id',
  'seq',
  'id',
  'at_ms',
  'action',
  'resource',
  'record_id',
  'client_id',
  'former_client_id',
  'actor_type',
  'actor_id',
  'actor_name',
  'via_type',
  'via_id',
  'via_name',
  'address',
  'request_id',
  'changes',
  'values_digest',
  'hash',
] as const satisfies readonly (keyof AuditEntryRow)[];

const insertText = `insert into audit_entries (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;

/** The last entry of an account's chain; undefined for a chain without entries. Pruning always leaves one. */
export async function readChainHead(reader: Reader, accountId: string): Promise<ChainHead | undefined> {
  const text = 'select seq, hash from audit_entries where account_id = ? order by seq desc limit 1';
  const [head] = await reader.run<ChainHead>(text, [accountId]);
  return head;
}

export async function insertEntry(tx: Writer, row: AuditEntryRow): Promise<void> {
  await tx.run(
    insertText,
    columns.map((column): SqlValue => row[column]),
  );
}

export async function insertValues(
  tx: Writer,
  { account_id, seq }: Pick<AuditEntryRow, 'account_id' | 'seq'>,
  { salt, body }: SaltedValues,
): Promise<void> {
  const text = 'insert into audit_values (account_id, seq, salt, body) values (?, ?, ?, ?)';
  await tx.run(text, [account_id, seq, salt, body]);
}

/** Deletes values about a client, all of them or those since a time. Returns how many entries had some. */
export async function deleteValuesOfClient(
  tx: Writer,
  { accountId, clientId, sinceMs }: { accountId: string; clientId: string; sinceMs: number },
): Promise<number> {
  const entries = (column: string) =>
    `select seq from audit_entries where account_id = ? and ${column} = ? and at_ms >= ?`;
  const text = `delete from audit_values where account_id = ?
    and seq in (${entries('client_id')} union ${entries('former_client_id')}) returning seq`;
  const client = [accountId, clientId, sinceMs];
  return (await tx.run(text, [accountId, ...client, ...client])).length;
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
