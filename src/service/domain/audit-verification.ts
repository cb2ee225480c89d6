import {
  type AuditEntryWithValues,
  type ChainHead,
  readChains,
  readCheckpoint,
  readEntriesAfter,
  readKeptDays,
  readOrphanedValues,
  readStrayEntries,
} from '../db/audit/entries.ts';
import type { Reader } from '../db/engine.ts';
import { firstHash, toEntryHash, toValuesDigest } from './audit.ts';
import { auditKeptDays } from './limits.ts';

/** Something in a chain that the service did not write. */
interface AuditFault {
  /** The position of the entry. */
  readonly seq: number;
  readonly problem: string;
}

const batchSize = 500;
const maxFaults = 100;

/**
 * Recomputes the chains of all accounts. Finds an entry, a value or a checkpoint that was changed, and one that was
 * removed or inserted between others. Entries removed from the end, and a chain that somebody with the whole database
 * computed anew, are only found with a head that was kept elsewhere: every trusted head must be in one of the chains.
 */
export async function verifyAuditLog(reader: Reader, trusted: readonly ChainHead[] = []) {
  const missing = new Set(trusted);
  const accountIds = await readChains(reader);
  const chains = await Array.fromAsync(accountIds, (accountId) => verifyChain(reader, accountId, missing));
  return { chains, missingHeads: [...missing] };
}

async function verifyChain(reader: Reader, accountId: string, missing: Set<ChainHead>) {
  const checkpoint = await readCheckpoint(reader, accountId);
  const faults: AuditFault[] = [];
  const report = (seq: number, problem: string) => {
    if (faults.length < maxFaults) faults.push({ seq, problem });
  };
  const erasures = createErasures();
  const start: ChainHead = checkpoint ?? { seq: 0, hash: firstHash };
  let last = start;
  let entries = 0;
  let pruned: unknown;
  // Who set it may have been deleted with the old entries.
  let keptDays: unknown = checkpoint === undefined ? auditKeptDays : undefined;
  findTrusted(missing, last);
  for (let rows = await next(); rows.length > 0; rows = await next()) {
    for (const row of rows) {
      const { hash, salt, body, ...entry } = row;
      if (row.seq !== last.seq + 1) report(row.seq, toGap(last.seq, row.seq));
      else if (toEntryHash(last.hash, entry) !== hash) {
        report(row.seq, 'The entry does not match its hash: it or the previous entry was changed.');
      }
      const problem = findValuesProblem(row);
      if (problem !== undefined) report(row.seq, problem);
      erasures.note(row);
      if (row.action === 'audit_log.pruned') pruned = readChanges(row).details['through'];
      if (row.action === 'account.updated') {
        keptDays = readChanges(row).after['audit_kept_days'] ?? keptDays;
      }
      findTrusted(missing, row);
      last = { seq: row.seq, hash };
      entries += 1;
    }
  }
  for (const seq of await readStrayEntries(reader, { accountId, ...start, limit: maxFaults })) {
    report(seq, 'The entry is not part of the chain.');
  }
  for (const seq of erasures.findUnexplained()) report(seq, 'The values were removed without an erasure.');
  for (const seq of await readOrphanedValues(reader, { accountId, limit: maxFaults })) {
    report(seq, 'Values exist without an entry.');
  }
  if (pruned !== checkpoint?.seq) {
    report(checkpoint?.seq ?? 0, 'The checkpoint does not match the last deletion of old entries.');
  }
  if (keptDays !== undefined && keptDays !== ((await readKeptDays(reader, accountId)) ?? auditKeptDays)) {
    report(last.seq, 'How long entries are kept was changed, but not by the service.');
  }
  return {
    /** `service` for what concerns no account. */
    account_id: accountId,
    entries,
    /** Entries whose values were erased with their client. */
    erased: erasures.count(),
    /** How many older entries were deleted at the end of their retention. */
    pruned: checkpoint?.seq ?? 0,
    /** The last entry as `<seq>:<hash>`. Kept elsewhere, it proves later that nothing up to it was changed. */
    head: `${last.seq}:${last.hash}`,
    /** The first faults; empty for a chain that is whole. */
    faults: faults.toSorted((a, b) => a.seq - b.seq),
  };

  function next(): Promise<AuditEntryWithValues[]> {
    return readEntriesAfter(reader, { accountId, seq: last.seq, limit: batchSize });
  }
}

function findTrusted(missing: Set<ChainHead>, { seq, hash }: ChainHead): void {
  for (const head of missing) {
    if (head.seq === seq && head.hash === hash) missing.delete(head);
  }
}

function toGap(former: number, seq: number): string {
  const count = seq - former - 1;
  if (!Number.isInteger(count)) return 'The entry is not part of the chain.';
  return count === 1 ? 'The previous entry was removed.' : `The ${count} previous entries were removed.`;
}

function findValuesProblem({ values_digest, salt, body }: AuditEntryWithValues): string | undefined {
  if (salt == null && body == null) return undefined;
  if (values_digest === null) return 'Values were added to the entry.';
  // SQLite keeps any type in any column, and bytes would be read as the text that they spell.
  const isText = typeof salt === 'string' && typeof body === 'string';
  const isUnchanged = isText && toValuesDigest({ salt, body }) === values_digest;
  return isUnchanged ? undefined : 'The values were changed.';
}

type Fields = Readonly<Record<string, unknown>>;

/** The details and the new values of an entry, whose text may have been changed. */
function readChanges({ changes }: AuditEntryWithValues): {
  readonly details: Fields;
  readonly after: Fields;
} {
  try {
    const { details, after } = Object(JSON.parse(changes ?? '{}'));
    return { details: Object(details), after: Object(after) };
  } catch {
    return { details: {}, after: {} };
  }
}

/** Tells values that were erased from values that somebody removed: an erasure has its own entry. */
function createErasures() {
  const missing = new Map<string, { readonly seq: number; readonly atMs: number }[]>();
  const unexplained = new Set<number>();
  let count = 0;

  function noteErasure(row: AuditEntryWithValues): void {
    const { seq, record_id } = row;
    const subject = record_id ?? '';
    const sinceMs = Date.parse(String(readChanges(row).details['since']));
    const left = missing.get(subject) ?? [];
    for (const one of left) {
      if (one.seq < seq && one.atMs >= sinceMs && unexplained.delete(one.seq)) count += 1;
    }
    missing.set(
      subject,
      left.filter((one) => unexplained.has(one.seq)),
    );
  }

  return {
    note(row: AuditEntryWithValues): void {
      if (row.action === 'audit_values.erased') noteErasure(row);
      if (row.values_digest === null || row.body != null) return;
      unexplained.add(row.seq);
      for (const subject of new Set([row.client_id, row.former_client_id, row.record_id])) {
        if (subject === null) continue;
        const known = missing.get(subject) ?? [];
        known.push({ seq: row.seq, atMs: row.at_ms });
        missing.set(subject, known);
      }
    },
    findUnexplained: (): number[] => [...unexplained],
    count: (): number => count,
  };
}
