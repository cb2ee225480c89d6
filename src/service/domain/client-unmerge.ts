import { type Client, readOnlyClientFields } from '../../contract/client.ts';
import { mergeReversibleDays, type ReversedMerge } from '../../contract/client-merge.ts';
import { SalonError } from '../../contract/errors.ts';
import { isSameJson } from '../../contract/json.ts';
import type { Writer } from '../db/engine.ts';
import {
  type ArchivedClient,
  eraseArchive,
  readArchivedClient,
  readClientsMergedInto,
} from '../db/merged-clients.ts';
import { hasRecord, restoreRecord } from '../db/records.ts';
import { authorize } from './authorization.ts';
import {
  type MergeArchive,
  moveAppointments,
  movePaymentsOfClient,
  readAppointments,
  readPayments,
  writeClient,
} from './client-merge.ts';
import { findClientViolations, toClientRow } from './client-record.ts';
import { readClient } from './clients.ts';
import type { Context } from './context.ts';
import { recordEvent } from './events.ts';
import { assertIfMatch, type IfMatch, nextUpdatedAt } from './records.ts';
import { dayMs } from './validation.ts';

export interface MergeReversal extends IfMatch {
  /** The client to restore; the one merged last where it is left out. */
  readonly from?: string | undefined;
}

/**
 * Reverses a merge into a client: restores the archived client under its ID, gives back the records that moved and
 * still belong to the client, and resets the fields that are still as the merge left them.
 * Throws `not_found`, `precondition_failed` and `merge_not_reversible`.
 */
export async function unmergeClients(
  context: Context,
  id: string,
  { from: fromId, ifMatch }: MergeReversal,
): Promise<ReversedMerge> {
  const { database, environment, caller } = context;
  authorize(caller, 'unmergeClients');
  const accountId = caller.account.id;
  return database.transaction({ accountId: caller.account.id }, async (tx) => {
    const merges = await readClientsMergedInto(tx, { accountId, id });
    if (merges.length > 0 && (await isErased(tx, { accountId, id }))) throw notReversible();
    const { client: current } = await readClient(tx, context, id);
    assertIfMatch(current, ifMatch);
    const oldestMs = environment.now().getTime() - mergeReversibleDays * dayMs;
    const merge = merges.find(
      (one): one is ArchivedClient =>
        one.archive !== null && one.merged_ms >= oldestMs && (fromId === undefined || one.id === fromId),
    );
    if (merge === undefined) throw notReversible();
    const archive: MergeArchive = JSON.parse(merge.archive);
    const moved = await moveBack(tx, context, { id, archive });
    const { fields, kept } = resetFields(current, archive, environment.now());
    const isReset = Object.keys(fields).length > 0;
    const changed = { ...current, ...fields };
    const client = isReset ? await writeClient(tx, context, { former: current, changed }) : current;
    await restoreClient(tx, context, { archive, into: id });
    await eraseArchive(tx, merge);
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
  { id, archive }: { id: string; archive: MergeArchive },
): Promise<ReversedMerge['moved']> {
  const accountId = context.caller.account.id;
  const clientId = archive.from.id;
  const wereMoved = new Set(archive.appointments);
  const appointments = (await readAppointments(tx, accountId, id)).filter((one) => wereMoved.has(one.id));
  // A payment belongs to the client of its appointment, so payments recorded since the merge move with it.
  const moving = new Set(appointments.map((one) => one.id));
  const paid = new Set(archive.payments);
  const payments = (await readPayments(tx, accountId, id)).filter(
    (one) => paid.has(one.id) || moving.has(one.appointment_id ?? ''),
  );
  await moveAppointments(tx, context, { appointments, clientId });
  await movePaymentsOfClient(tx, context, { payments, clientId });
  return { appointments: appointments.length, payments: payments.length };
}

const identity = ['first_name', 'last_name', 'email', 'phone'] as const;

/** The fields that the merge changed and that are still as it left them, and those changed since. */
function resetFields(
  current: Client,
  { before, after }: MergeArchive,
  now: Date,
): { fields: Partial<Client>; kept: string[] } {
  const names = (Object.keys(after) as (keyof Client)[]).filter(
    (name) => !readOnlyClientFields.some((other) => other === name) && !isSameJson(before[name], after[name]),
  );
  const kept = names.filter((name) => !isSameJson(current[name], after[name]));
  const back = (reset: readonly string[]): Partial<Client> =>
    Object.fromEntries(names.filter((name) => reset.includes(name)).map((name) => [name, before[name]]));
  const reset = names.filter((name) => !kept.includes(name));
  const fields = back(reset);
  // Somebody may have cleared the only contact that the client had before the merge.
  const isValid =
    findClientViolations({ ...current, ...fields }, now.toISOString().slice(0, 10)).length === 0;
  if (isValid) return { fields, kept };
  const others = reset.filter((name) => !identity.some((one) => one === name));
  return { fields: back(others), kept: names.filter((name) => !others.includes(name)) };
}

async function restoreClient(
  tx: Writer,
  context: Context,
  { archive: { from, seq }, into }: { archive: MergeArchive; into: string },
): Promise<void> {
  const { caller, environment } = context;
  const accountId = caller.account.id;
  const client = { ...from, updated_at: nextUpdatedAt(from, environment.now()) };
  const row = toClientRow(accountId, client);
  await restoreRecord(tx, { accountId, collection: 'clients' }, { seq, row });
  await recordEvent(
    tx,
    context,
    { type: 'client.created', object: client },
    { action: 'client.restored', details: { from: into } },
  );
}
