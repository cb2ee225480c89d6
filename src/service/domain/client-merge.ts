import type { Appointment } from '../../contract/appointment.ts';
import { type Client, readOnlyClientFields } from '../../contract/client.ts';
import { type ClientMerge, combineClients, mergeReversibleDays } from '../../contract/client-merging.ts';
import type { BodyOf } from '../../contract/endpoints.ts';
import { SalonError, type Violation, withContext } from '../../contract/errors.ts';
import type { Payment } from '../../contract/payment.ts';
import { dayMs } from '../../contract/time.ts';
import type { Writer } from '../db/engine.ts';
import { deleteRecord, readRecordsOfClient, updateRecords } from '../db/records/records.ts';
import { insertMergedClient } from '../db/records/removed-clients.ts';
import { authorize } from './authorization.ts';
import { assertValid, type ClientFields, mergeClient, readClient, toClientRow } from './clients.ts';
import type { Context } from './context.ts';
import { recordBookingChange, recordEvent } from './events.ts';
import { assertIfMatch, type IfMatch, isUnchanged, nextUpdatedAt } from './records.ts';
import { invalidBody } from './validation.ts';

export interface ClientMerging extends IfMatch {
  readonly from: string;
  readonly fields?: BodyOf<'updateClient'> | undefined;
  readonly fromIfMatch?: readonly string[] | undefined;
}

/** What reverses a merge. */
export interface MergeArchive {
  readonly from: Client;
  /** The position of `from` in creation order. */
  readonly seq: number;
  /** The client that stays, before and after the merge. */
  readonly before: Client;
  readonly after: Client;
  /** IDs of the records that moved. */
  readonly appointments: readonly string[];
  readonly payments: readonly string[];
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
  const { database, environment, caller } = context;
  authorize(caller, 'mergeClients');
  const accountId = caller.account.id;
  return database.transaction({ accountId: caller.account.id }, async (tx) => {
    const { client: before } = await readClient(tx, context, id);
    if (fromId === id) {
      throw invalidBody([
        { pointer: '/from', code: 'invalid_format', detail: '/from is the client itself.' },
      ]);
    }
    const { client: from, seq } = await readClient(tx, context, fromId);
    assertIfMatch(before, ifMatch);
    assertIfMatch(from, fromIfMatch);
    const now = environment.now();
    const after = await changeFields(tx, context, { before, from, fields });
    const appointments = await readAppointments(tx, accountId, fromId);
    const payments = await readPayments(tx, accountId, fromId);
    await moveAppointments(tx, context, { appointments, clientId: id });
    await movePaymentsOfClient(tx, context, { payments, clientId: id });
    const archive: MergeArchive = {
      ...{ from, seq, before, after },
      appointments: appointments.map((one) => one.id),
      payments: payments.map((one) => one.id),
    };
    await deleteRecord(tx, { accountId, collection: 'clients' }, seq);
    await insertMergedClient(tx, {
      ...{ account_id: accountId, id: fromId, into_id: id, merged_ms: now.getTime() },
      archive: JSON.stringify(archive),
    });
    await recordEvent(
      tx,
      context,
      { type: 'client.deleted', object: { id: fromId, deleted: true } },
      { action: 'client.merged', details: { into: id } },
    );
    return {
      ...{ id, from: fromId, client: after },
      moved: { appointments: appointments.length, payments: payments.length },
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
  await assertValid(tx, context, { fields: merged, isNewStylist }, findTooMuch(merged)).catch(
    (thrown: unknown) => {
      throw withFieldPointers(thrown);
    },
  );
  if (isUnchanged(before, merged)) return before;
  return writeClient(tx, context, { former: before, changed: merged });
}

/** The fields of the record are members of `fields` in the body. */
function withFieldPointers(thrown: unknown): unknown {
  if (!(thrown instanceof SalonError)) return thrown;
  const violations = thrown.violations.map((violation) => {
    const { pointer = '' } = violation;
    return pointer.startsWith('/fields') ? violation : { ...violation, pointer: `/fields${pointer}` };
  });
  return withContext(thrown, { violations });
}

/** Writes a changed client and its event. */
export async function writeClient(
  tx: Writer,
  context: Context,
  { former, changed }: { former: Client; changed: Client },
): Promise<Client> {
  const { caller, environment } = context;
  const client = { ...changed, updated_at: nextUpdatedAt(former, environment.now()) };
  await updateRecords(tx, 'clients', [toClientRow(caller.account.id, client)]);
  await recordEvent(tx, context, { type: 'client.updated', former, object: client });
  return client;
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

export async function readAppointments(
  tx: Writer,
  accountId: string,
  clientId: string,
): Promise<Appointment[]> {
  const records = await readRecordsOfClient(tx, 'appointments', { accountId, clientId });
  return records.map((record) => JSON.parse(record));
}

export async function readPayments(tx: Writer, accountId: string, clientId: string): Promise<Payment[]> {
  const records = await readRecordsOfClient(tx, 'payments', { accountId, clientId });
  return records.map((record) => JSON.parse(record));
}

/** Gives appointments of any status to another client. */
export async function moveAppointments(
  tx: Writer,
  context: Context,
  { appointments, clientId }: { appointments: readonly Appointment[]; clientId: string },
): Promise<void> {
  const changes = moveTo(context, appointments, clientId);
  await updateRecords(
    tx,
    'appointments',
    changes.map((change) => toMovedRow(context, change.object, clientId)),
  );
  for (const change of changes) await recordBookingChange(tx, context, change);
}

/** Gives payments to another client. */
export async function movePaymentsOfClient(
  tx: Writer,
  context: Context,
  { payments, clientId }: { payments: readonly Payment[]; clientId: string },
): Promise<void> {
  const changes = moveTo(context, payments, clientId);
  await updateRecords(
    tx,
    'payments',
    changes.map((change) => toMovedRow(context, change.object, clientId)),
  );
  for (const change of changes) await recordEvent(tx, context, { type: 'payment.updated', ...change });
}

function moveTo<Item extends { readonly updated_at: string }>(
  { environment }: Context,
  records: readonly Item[],
  clientId: string,
): { former: Item; object: Item }[] {
  const now = environment.now();
  return records.map((former) => {
    const object = { ...former, client_id: clientId, updated_at: nextUpdatedAt(former, now) };
    return { former, object };
  });
}

function toMovedRow(
  { caller }: Context,
  record: { readonly id: string; readonly updated_at: string },
  clientId: string,
) {
  return {
    account_id: caller.account.id,
    id: record.id,
    client_id: clientId,
    updated_ms: Date.parse(record.updated_at),
    record: JSON.stringify(record),
  };
}
