import { type Client, readOnlyClientFields } from '../../contract/client.ts';
import {
  type ClientMerge,
  combineClients,
  mergeReversibleDays,
  type ReversedMerge,
} from '../../contract/client-merging.ts';
import type { BodyOf } from '../../contract/endpoints.ts';
import { SalonError, type Violation, withContext } from '../../contract/errors.ts';
import { isSameJson } from '../../text/json.ts';
import { dayMs } from '../../time/time.ts';
import type { Writer } from '../db/engine.ts';
import { deleteRecord, hasRecord, restoreRecord } from '../db/records/records.ts';
import {
  type ArchivedClient,
  insertMergedClient,
  readArchivedClient,
  readClientsMergedInto,
  replaceArchive,
} from '../db/records/removed-clients.ts';
import { replaceBookings } from './booking.ts';
import { assertValid, type ClientFields, mergeClient, writeClient } from './clients.ts';
import type { Context } from './context.ts';
import { recordChangeWithoutEvent, recordEvent } from './events.ts';
import { type MergeArchive, resetFields, toRebased } from './merge-archive.ts';
import {
  findStoredRecord,
  type IfMatch,
  isUnchanged,
  nextUpdatedAt,
  readAllOfClient,
  replaceRecords,
  toStoredRow,
} from './records.ts';
import { invalidField } from './validation.ts';
import { transact, transactOn } from './write-record.ts';

interface ClientMerging extends IfMatch {
  readonly from: string;
  readonly fields?: BodyOf<'updateClient'> | undefined;
  readonly fromIfMatch?: readonly string[] | undefined;
}

/**
 * Merges `from` into a client: combines the fields, moves appointments and payments, and archives `from`, all or
 * nothing. Throws `not_found` for either, `precondition_failed` and `validation_failed`.
 */
export async function mergeClients(
  context: Context,
  id: string,
  { from: fromId, fields = {}, ifMatch, fromIfMatch }: ClientMerging,
): Promise<ClientMerge> {
  const { environment, caller } = context;
  const accountId = caller.account.id;
  const wanted = { collection: 'clients', id, ifMatch } as const;
  return transactOn(context, 'mergeClients', wanted, async (tx, before) => {
    if (fromId === id) throw invalidField('/from', '/from is the client itself.');
    const merged = { collection: 'clients', id: fromId, ifMatch: fromIfMatch } as const;
    const { record: from, seq } = await findStoredRecord(tx, caller, merged);
    const now = environment.now();
    const after = await changeFields(tx, context, { before, from, fields });
    const records = await readAllOfClient(tx, { accountId, clientId: fromId });
    const moved = await moveRecords(tx, context, { ...records, clientId: id });
    const archive: MergeArchive = {
      ...{ from, seq, before, after },
      appointments: records.appointments.map((one) => one.id),
      payments: records.payments.map((one) => one.id),
      waitlist: records.waitlist.map((one) => one.id),
    };
    await deleteRecord(tx, { accountId, collection: 'clients' }, seq);
    await insertMergedClient(tx, {
      ...{ account_id: accountId, id: fromId, into_id: id, merged_ms: now.getTime() },
      archive: JSON.stringify(archive),
    });
    const removal = { type: 'client.deleted', object: { id: fromId, deleted: true } } as const;
    await recordEvent(tx, context, removal, { action: 'client.merged', details: { into: id } });
    return {
      ...{ id, from: fromId, client: after, moved },
      reversible_until: new Date(now.getTime() + mergeReversibleDays * dayMs).toISOString(),
    };
  });
}

async function changeFields(
  tx: Writer,
  context: Context,
  { before, from, fields }: { before: Client; from: Client; fields: BodyOf<'updateClient'> },
): Promise<Client> {
  const combined = combineClients(before, from, readOnlyClientFields);
  const results = Object.fromEntries(combined.map(({ field, result }) => [field, result]));
  const merged = mergeClient(mergeClient(before, results), fields);
  const { preferred_stylist_id: stylistId } = merged;
  const isNewStylist = ![before, from].some((one) => one.preferred_stylist_id === stylistId);
  try {
    await assertValid(tx, context, { fields: merged, isNewStylist }, findTooMuch(merged));
  } catch (thrown) {
    if (!(thrown instanceof SalonError)) throw thrown;
    // The fields of the record are members of `fields` in the body.
    const violations = thrown.violations.map((violation) => {
      const { pointer = '' } = violation;
      return pointer.startsWith('/fields') ? violation : { ...violation, pointer: `/fields${pointer}` };
    });
    throw withContext(thrown, { violations });
  }
  if (isUnchanged(before, merged)) return before;
  return writeClient(tx, context, { former: before, object: merged });
}

const maxTags = 20;
const maxNotesLength = 4096;

/** What no single record could hold, but two together may. */
function findTooMuch({ tags, notes }: ClientFields): Violation[] {
  const violations: Violation[] = [];
  if (tags.length > maxTags) {
    const detail = `Together the clients have ${tags.length} tags; at most ${maxTags} are possible. Choose them with fields.tags.`;
    violations.push({ pointer: '/fields/tags', code: 'out_of_range', detail });
  }
  if ((notes ?? '').length > maxNotesLength) {
    const detail = `Together the notes have ${notes?.length} characters; at most ${maxNotesLength} are possible. Choose them with fields.notes.`;
    violations.push({ pointer: '/fields/notes', code: 'out_of_range', detail });
  }
  return violations;
}

type MovedRecords = Awaited<ReturnType<typeof readAllOfClient>> & { readonly clientId: string };

/** Gives records of a client to another one, appointments of any status. Returns how many. */
async function moveRecords(
  tx: Writer,
  context: Context,
  { appointments, payments, waitlist, clientId }: MovedRecords,
): Promise<ClientMerge['moved']> {
  const toMoved = <Item extends object>(former: Item) => ({
    former,
    object: { ...former, client_id: clientId },
  });
  await replaceBookings(tx, context, appointments.map(toMoved));
  const changes = payments.map(toMoved);
  for (const change of await replaceRecords(tx, context, { collection: 'payments', changes })) {
    await recordEvent(tx, context, { type: 'payment.updated', ...change });
  }
  const entries = { collection: 'waitlist_entries', changes: waitlist.map(toMoved) } as const;
  for (const { former, object } of await replaceRecords(tx, context, entries)) {
    const act = { action: 'waitlist_entry.updated', id: object.id } as const;
    await recordChangeWithoutEvent(tx, context, { ...act, former, object });
  }
  return {
    appointments: appointments.length,
    payments: payments.length,
    waitlist_entries: waitlist.length,
  };
}

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
  const waitlist = records.waitlist.filter((one) => archive.waitlist?.includes(one.id));
  return moveRecords(tx, context, { appointments, payments, waitlist, clientId });
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
