import { type Client, readOnlyClientFields } from '../../contract/client.ts';
import { type ClientMerge, combineClients, mergeReversibleDays } from '../../contract/client-merging.ts';
import type { BodyOf } from '../../contract/endpoints.ts';
import { SalonError, type Violation, withContext } from '../../contract/errors.ts';
import { dayMs } from '../../time/time.ts';
import type { Writer } from '../db/engine.ts';
import { deleteRecord } from '../db/records/records.ts';
import { insertMergedClient } from '../db/records/removed-clients.ts';
import { replaceBookings } from './booking.ts';
import { assertValid, type ClientFields, mergeClient, writeClient } from './clients.ts';
import type { Context } from './context.ts';
import { recordEvent } from './events.ts';
import { findStoredRecord, type IfMatch, isUnchanged, readAllOfClient, replaceRecords } from './records.ts';
import { invalidField } from './validation.ts';
import { transactOn } from './write-record.ts';

interface ClientMerging extends IfMatch {
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

/** Gives records of a client to another one, appointments of any status. Returns how many. */
export async function moveRecords(
  tx: Writer,
  context: Context,
  { appointments, payments, clientId }: Awaited<ReturnType<typeof readAllOfClient>> & { clientId: string },
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
  return { appointments: appointments.length, payments: payments.length };
}
