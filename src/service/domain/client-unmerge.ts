import { type Client, readOnlyClientFields } from '../../contract/client.ts';
import { combineClients, mergeReversibleDays, type ReversedMerge } from '../../contract/client-merging.ts';
import { SalonError } from '../../contract/errors.ts';
import { isSameJson } from '../../text/json.ts';
import { dayMs } from '../../time/time.ts';
import type { Writer } from '../db/engine.ts';
import { hasRecord, restoreRecord } from '../db/records/records.ts';
import {
  type ArchivedClient,
  readArchivedClient,
  readClientsMergedInto,
  replaceArchive,
} from '../db/records/removed-clients.ts';
import { type MergeArchive, moveRecords } from './client-merge.ts';
import { findClientViolations, writeClient } from './clients.ts';
import type { Context } from './context.ts';
import { recordEvent } from './events.ts';
import { findStoredRecord, type IfMatch, nextUpdatedAt, readAllOfClient, toStoredRow } from './records.ts';
import { transact } from './write-record.ts';

/**
 * Reverses a merge into a client, the last one unless `from` says another: restores that client under its ID, gives
 * back the records that moved and still belong to the client, and resets the fields that are still as the merge left
 * them. Throws `not_found`, `precondition_failed` and `merge_not_reversible`.
 */
export async function unmergeClients(
  context: Context,
  id: string,
  { from: fromId, ifMatch }: IfMatch & { readonly from?: string | undefined },
): Promise<ReversedMerge> {
  const { environment, caller } = context;
  const accountId = caller.account.id;
  return transact(context, 'unmergeClients', async (tx) => {
    const merges = await readClientsMergedInto(tx, { accountId, id });
    if (merges.length > 0 && (await isErased(tx, { accountId, id }))) throw notReversible();
    const { record: current } = await findStoredRecord(tx, caller, { collection: 'clients', id, ifMatch });
    const oldestMs = environment.now().getTime() - mergeReversibleDays * dayMs;
    const merge = merges.find(
      (one): one is ArchivedClient =>
        one.archive !== null && one.merged_ms >= oldestMs && (fromId === undefined || one.id === fromId),
    );
    if (merge === undefined) throw notReversible();
    const archive: MergeArchive = JSON.parse(merge.archive);
    const moved = await moveBack(tx, context, { id, archive, mergedMs: merge.merged_ms });
    const later = merges
      .filter((one) => one.seq > merge.seq && one.archive !== null)
      .map((row) => ({ row, archive: JSON.parse(row.archive ?? '') as MergeArchive }))
      .reverse();
    const archives = [archive, ...later.map((one) => one.archive)] as const;
    const { resets, kept } = resetFields(current, archives, environment.now());
    const changed = { ...current, ...Object.fromEntries(resets.map(({ name, value }) => [name, value])) };
    const isReset = !isSameJson(changed, current);
    const client = isReset ? await writeClient(tx, context, { former: current, object: changed }) : current;
    await restoreClient(tx, context, { archive, into: id });
    await replaceArchive(tx, merge, null);
    for (const [index, one] of later.entries()) {
      await replaceArchive(tx, one.row, JSON.stringify(toRebased(one.archive, resets, index)));
    }
    return { id, from: merge.id, client, moved, kept_fields: kept };
  });
}

async function isErased(tx: Writer, key: { accountId: string; id: string }): Promise<boolean> {
  return !(await hasRecord(tx, 'clients', key)) && (await readArchivedClient(tx, key)) === undefined;
}

function notReversible(): SalonError {
  return new SalonError('merge_not_reversible', 'No merge into this client can be reversed.');
}

async function moveBack(
  tx: Writer,
  context: Context,
  { id, archive, mergedMs }: { id: string; archive: MergeArchive; mergedMs: number },
): Promise<ReversedMerge['moved']> {
  const accountId = context.caller.account.id;
  const clientId = archive.from.id;
  const records = await readAllOfClient(tx, { accountId, clientId: id });
  const wereMoved = new Set(archive.appointments);
  const appointments = records.appointments.filter((one) => wereMoved.has(one.id));
  // What the client itself paid before for an appointment of `from`, such as a gift, stays.
  const moving = new Set(appointments.map((one) => one.id));
  const paid = new Set(archive.payments);
  const payments = records.payments.filter(
    ({ id: own, appointment_id, created_at }) =>
      paid.has(own) || (moving.has(appointment_id ?? '') && Date.parse(created_at) >= mergedMs),
  );
  return moveRecords(tx, context, { appointments, payments, clientId });
}

const identity = ['first_name', 'last_name', 'email', 'phone'] as const;

/** A field without what a merge brought: now, and before and after each later merge. */
interface FieldReset {
  readonly name: keyof Client;
  readonly value: unknown;
  readonly later: readonly { readonly before: unknown; readonly after: unknown }[];
  /** Whether somebody has chosen its value in a later merge. */
  readonly isChosen: boolean;
}

/** The fields that the first of the merges changed and that are still as the last one left them, and those changed since. */
function resetFields(
  current: Client,
  [merge, ...later]: readonly [MergeArchive, ...MergeArchive[]],
  now: Date,
): { resets: FieldReset[]; kept: string[] } {
  const { before, after } = merge;
  const names = (Object.keys(after) as (keyof Client)[]).filter(
    (name) => !readOnlyClientFields.some((other) => other === name) && !isSameJson(before[name], after[name]),
  );
  const toKept = (chosen: readonly FieldReset[]) =>
    names.filter((one) => !chosen.some(({ name, isChosen }) => name === one && !isChosen));
  const resets = names.flatMap((name) => resetField(current, merge, { name, later }) ?? []);
  // Somebody may have cleared the only contact that the client had before the merge.
  const fields = Object.fromEntries(resets.map(({ name, value }) => [name, value]));
  const isValid =
    findClientViolations({ ...current, ...fields }, now.toISOString().slice(0, 10)).length === 0;
  const possible = isValid ? resets : resets.filter(({ name }) => !identity.some((one) => one === name));
  return { resets: possible, kept: toKept(possible) };
}

/** Undefined for a field that was changed between the merges or since. */
function resetField(
  current: Client,
  merge: MergeArchive,
  { name, later: archives }: { name: keyof Client; later: readonly MergeArchive[] },
): FieldReset | undefined {
  let [was, value]: unknown[] = [merge.after[name], merge.before[name]];
  let isChosen = false;
  const later: { before: unknown; after: unknown }[] = [];
  for (const { from, before, after } of archives) {
    if (!isSameJson(before[name], was)) return undefined;
    const combine = (kept: unknown) =>
      combineClients({ [name]: kept }, { [name]: from[name] }, [])[0]?.result;
    isChosen = !isSameJson(combine(was), after[name]);
    later.push({ before: value, after: isChosen ? after[name] : combine(value) });
    [was, value] = [after[name], later.at(-1)?.after];
    if (isChosen) break;
  }
  if (isChosen) return { name, value: current[name], later, isChosen };
  return isSameJson(current[name], was) ? { name, value, later, isChosen } : undefined;
}

/** The archive of a later merge, as if the reversed one had never been. */
function toRebased(archive: MergeArchive, resets: readonly FieldReset[], index: number): MergeArchive {
  const select = (side: 'before' | 'after') =>
    Object.fromEntries(
      resets.flatMap(({ name, later }) => (index in later ? [[name, later[index]?.[side]]] : [])),
    );
  const [before, after] = [select('before'), select('after')];
  return { ...archive, before: { ...archive.before, ...before }, after: { ...archive.after, ...after } };
}

async function restoreClient(
  tx: Writer,
  context: Context,
  { archive: { from, seq }, into }: { archive: MergeArchive; into: string },
): Promise<void> {
  const accountId = context.caller.account.id;
  const object = { ...from, updated_at: nextUpdatedAt(from, context.environment.now()) };
  const row = toStoredRow(accountId, 'clients', object);
  await restoreRecord(tx, { accountId, collection: 'clients' }, { seq, row });
  const act = { action: 'client.restored', details: { from: into } } as const;
  await recordEvent(tx, context, { type: 'client.created', object }, act);
}
