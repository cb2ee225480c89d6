import type { AuditEntry } from '../../src/contract/audit.ts';
import { listAuditLog } from '../../src/service/domain/audit-log.ts';
import type { Context } from '../../src/service/domain/context.ts';
import { isSameJson } from '../../src/text/json.ts';

/** Every entry of the account's audit log, oldest first. */
export async function readAuditLog(context: Context): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const page = await listAuditLog(context, { per_page: 200, ...(after === undefined ? {} : { after }) });
    entries.push(...JSON.parse(page.dataJson.toString()));
    after = page.next;
  }
  return entries;
}

/** A record as a log tells it. */
interface FoldedRecord {
  readonly fields: Map<string, unknown>;
  /** Whether values are missing that were erased. */
  isPartial: boolean;
}

const removals = ['client.deleted', 'client.merged', 'webhook.deleted'];

/** Replays a log. Throws when an entry does not fit the ones before it. */
export function foldAuditLog(entries: readonly AuditEntry[]): Map<string, FoldedRecord> {
  const records = new Map<string, FoldedRecord>();
  for (const { id, action, resource, record_id, before, after, erased } of entries) {
    if (record_id === null || resource === 'account') continue;
    if (removals.includes(action)) {
      if (!records.delete(record_id)) throw new Error(`${id} removes ${record_id}, which does not exist.`);
      continue;
    }
    if (after === null) continue;
    const known = records.get(record_id);
    if (known === undefined && before !== null)
      throw new Error(`${id} changes ${record_id} before it exists.`);
    if (known !== undefined && before === null) throw new Error(`${id} creates ${record_id} again.`);
    const record = known ?? { fields: new Map([['id', record_id]]), isPartial: false };
    for (const [field, value] of Object.entries(before ?? {})) {
      const isUnknown = record.isPartial && !record.fields.has(field);
      if (!isUnknown && !isSameJson(record.fields.get(field), value)) {
        throw new Error(`${id} has another former ${field} than the log.`);
      }
      // Without the new value, which was erased, nothing is known.
      record.fields.delete(field);
    }
    if (erased) record.isPartial = true;
    if (erased && known !== undefined) forgetPersonal(record, after);
    for (const [field, value] of Object.entries(after)) record.fields.set(field, value);
    records.set(record_id, record);
  }
  return records;
}

const impersonal = ['id', 'created_at', 'updated_at', 'client_id', 'stylist_id', 'service', 'start_time'];

/** An update whose values were erased may have changed any field that holds personal data. */
function forgetPersonal({ fields }: FoldedRecord, after: object): void {
  for (const field of [...fields.keys()]) {
    if (!impersonal.includes(field) && !(field in after)) fields.delete(field);
  }
}

/** What differs between a folded log and the records; empty if the log tells the same. */
export function compareRecords(
  folded: ReadonlyMap<string, FoldedRecord>,
  records: readonly { readonly id: string }[],
): string[] {
  const differences: string[] = [];
  const left = new Set(folded.keys());
  for (const record of records) {
    const known = folded.get(record.id);
    left.delete(record.id);
    if (known === undefined) differences.push(`${record.id} is not in the log`);
    for (const [field, value] of Object.entries(record)) {
      const isUnknown = known?.isPartial && !known.fields.has(field);
      if (!isUnknown && !isSameJson(known?.fields.get(field), value))
        differences.push(`${record.id} ${field}`);
    }
  }
  return [...differences, ...[...left].map((id) => `${id} does not exist`)];
}
