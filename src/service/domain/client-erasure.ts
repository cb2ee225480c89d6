import { mergeReversibleDays } from '../../contract/client-merging.ts';
import type { DeliveryAttempt } from '../../contract/delivery.ts';
import { kindOfId } from '../../contract/identifiers.ts';
import { dayMs } from '../../time/time.ts';
import type { Database } from '../db/database.ts';
import {
  type ErasedClient,
  eraseEventsOfClient,
  eraseResponsesOfClient,
  readEventsOfClient,
  replaceEventBody,
} from '../db/deliveries/events.ts';
import type { Writer } from '../db/engine.ts';
import { recordNames } from '../db/record-rows.ts';
import { readResultsOfClient, replaceResult } from '../db/records/idempotency.ts';
import { deleteRecord } from '../db/records/records.ts';
import {
  insertErasure,
  readAccountsWithExpiredArchives,
  readClientsMergedInto,
  readExpiredArchives,
  readMergesOf,
  replaceArchive,
} from '../db/records/removed-clients.ts';
import { eraseAuditValues, recordAudit } from './audit.ts';
import type { Context, Environment } from './context.ts';
import { deliveriesKeptDays } from './limits.ts';
import {
  findPersonal,
  findStoredRecord,
  type RecordTypes,
  readAllOfClient,
  replaceRecords,
} from './records.ts';

/** Events of the other client from before the reversal of a merge are deleted by then. */
const tracesKeptDays = mergeReversibleDays + deliveriesKeptDays;

/** Small enough for a short transaction. */
const maxErased = 50;

/**
 * Erases the personal data of a client that is being deleted: texts of its appointments and payments, what logs hold of
 * it and of the clients archived under it, and what the clients that it was once merged into were given of it.
 */
export async function eraseClient(tx: Writer, context: Context, clientId: string): Promise<void> {
  const { environment, caller } = context;
  const accountId = caller.account.id;
  const nowMs = environment.now().getTime();
  await insertErasure(tx, { account_id: accountId, id: clientId, erased_ms: nowMs });
  await eraseWithArchives(tx, environment, { accountId, clientId });
  const records = await eraseRecords(tx, context, clientId);
  const seen = new Set([clientId]);
  const oldestMs = nowMs - tracesKeptDays * dayMs;
  for (const id of seen) {
    for (const { into_id, merged_ms } of await readMergesOf(tx, { accountId, id })) {
      if (seen.has(into_id) || merged_ms < oldestMs) continue;
      seen.add(into_id);
      await eraseTraces(tx, environment, { accountId, clientId: into_id, sinceMs: merged_ms, records });
    }
  }
}

/** Erases some of the archived clients whose merge can no longer be reversed. Returns whether there may be more. */
export async function eraseExpiredArchives(
  { reader, transaction, requestPurge }: Pick<Database, 'reader' | 'transaction' | 'requestPurge'>,
  environment: Environment,
): Promise<boolean> {
  const nowMs = environment.now().getTime();
  const beforeMs = nowMs - mergeReversibleDays * dayMs;
  let hasMore = false;
  for (const accountId of await readAccountsWithExpiredArchives(reader, beforeMs)) {
    const count = await transaction({ accountId }, async (tx) => {
      const rows = await readExpiredArchives(tx, { accountId, beforeMs, limit: maxErased });
      for (const row of rows) {
        await insertErasure(tx, { account_id: accountId, id: row.id, erased_ms: nowMs });
        await replaceArchive(tx, row, null);
        await eraseWithArchives(tx, environment, { accountId, clientId: row.id });
      }
      return rows.length;
    });
    requestPurge();
    hasMore ||= count === maxErased;
  }
  return hasMore;
}

async function eraseWithArchives(
  tx: Writer,
  environment: Environment,
  { accountId, clientId }: ErasedClient,
): Promise<void> {
  await eraseTraces(tx, environment, { accountId, clientId });
  for (const merged of await readClientsMergedInto(tx, { accountId, id: clientId })) {
    if (merged.archive === null) continue;
    await replaceArchive(tx, merged, null);
    await eraseWithArchives(tx, environment, { accountId, clientId: merged.id });
  }
}

async function eraseTraces(tx: Writer, environment: Environment, client: ErasedTraces): Promise<void> {
  await eraseResults(tx, client);
  await eraseEvents(tx, client, environment.now().getTime());
  const { accountId, clientId, sinceMs } = client;
  await eraseAuditValues(tx, environment, { accountId, sinceMs, subject: { kind: 'client', id: clientId } });
}

interface ErasedTraces extends ErasedClient {
  /** The records to erase; all of the client's if left out. */
  readonly records?: ReadonlySet<string>;
}

interface EventBody {
  readonly type: string;
  readonly data: {
    readonly resource: string;
    readonly object: { readonly id: string; readonly client_id?: string | null };
    readonly previous_attributes?: { readonly client_id?: string | null };
  };
}

/**
 * Erases a client's personal data in the log of events. Events about the client lose their body, and their pending
 * deliveries are cancelled; those about appointments and payments lose the personal texts.
 */
async function eraseEvents(tx: Writer, client: ErasedTraces, nowMs: number): Promise<void> {
  const { accountId } = client;
  await eraseResponsesOfClient(tx, client);
  await eraseEventsOfClient(tx, { ...client, nowMs });
  for (const { seq, body } of await readEventsOfClient(tx, client)) {
    const erased = eraseEventTexts(JSON.parse(body), client);
    if (erased !== undefined) await replaceEventBody(tx, { accountId, seq, body: JSON.stringify(erased) });
  }
}

/** Erases the personal data of a client, or of a blocked time, in saved results of requests. */
export async function eraseResults(tx: Writer, client: ErasedTraces): Promise<void> {
  const { accountId } = client;
  for (const { key, record_id, answer } of await readResultsOfClient(tx, client)) {
    if (kindOfId(record_id ?? '') === 'client') {
      await replaceResult(tx, { accountId, key, answer: null });
      continue;
    }
    const erased = eraseResult(JSON.parse(answer), client);
    if (erased !== undefined) await replaceResult(tx, { accountId, key, answer: JSON.stringify(erased) });
  }
}

/** A result without the personal data of a client; undefined if it has none. */
function eraseResult(result: Record<string, unknown>, client: ErasedTraces): object | undefined {
  const event = result['event'] as EventBody | null | undefined;
  if (event != null) {
    const isAbout = event.type.startsWith('client.') && event.data.object.id === client.clientId;
    const erased = isAbout ? null : (eraseEventTexts(event, client) ?? event);
    const attempts = (result['attempts'] as DeliveryAttempt[]).map((one) => ({ ...one, response: null }));
    return { ...result, event: erased, attempts };
  }
  const id = String(result['id']);
  return eraseTexts(kindOfId(id) ?? 'appointment', result, isErased(id, client));
}

/** An event without the texts of a client; undefined if it has none. */
function eraseEventTexts(event: EventBody, client: ErasedTraces): EventBody | undefined {
  const { resource, object, previous_attributes: previous = {} } = event.data;
  const isChosen = isErased(object.id, client);
  // Another client's appointment may once have been this one's: then only its former texts go.
  const isCurrent = object.client_id === client.clientId;
  const current = eraseTexts(resource, object, isChosen && isCurrent);
  const former = eraseTexts(resource, previous, isChosen);
  if (current === undefined && former === undefined) return undefined;
  const data = { ...event.data, object: current ?? object };
  return { ...event, data: former === undefined ? data : { ...data, previous_attributes: former } };
}

function isErased(id: string, { records }: ErasedTraces): boolean {
  return records === undefined || records.has(id);
}

function eraseTexts<Item extends object>(
  resource: string,
  record: Item,
  isIncluded: boolean,
): Item | undefined {
  const cleared = isIncluded ? findPersonal(resource, record) : {};
  return Object.keys(cleared).length === 0 ? undefined : { ...record, ...cleared };
}

/**
 * Clears notes, cancellation reasons and references in the appointments and payments of a client, and takes the client
 * off the waiting list, without events. Returns the IDs of all of them.
 */
async function eraseRecords(tx: Writer, context: Context, clientId: string): Promise<Set<string>> {
  const client = { accountId: context.caller.account.id, clientId };
  const { appointments, payments, waitlist } = await readAllOfClient(tx, client);
  await eraseCollection(tx, context, { collection: 'appointments', records: appointments });
  await eraseCollection(tx, context, { collection: 'payments', records: payments });
  for (const { id, note: _note, ...former } of waitlist) {
    const { seq } = await findStoredRecord(tx, context.caller, { collection: 'waitlist_entries', id });
    await deleteRecord(tx, { accountId: client.accountId, collection: 'waitlist_entries' }, seq);
    await recordAudit(tx, context, { action: 'waitlist_entry.deleted', id, former });
  }
  return new Set([...appointments, ...payments, ...waitlist].map(({ id }) => id));
}

async function eraseCollection<Name extends 'appointments' | 'payments'>(
  tx: Writer,
  context: Context,
  { collection, records }: { collection: Name; records: readonly RecordTypes[Name][] },
): Promise<void> {
  const resource = recordNames[collection];
  const changes = records.flatMap((former) => {
    const object = eraseTexts(resource, former, true);
    return object === undefined ? [] : [{ former, object }];
  });
  for (const { former, object } of await replaceRecords(tx, context, { collection, changes })) {
    const { client_id } = former;
    // Without the texts: their entries have just been erased.
    await recordAudit(tx, context, {
      action: `${resource}.erased`,
      id: object.id,
      former: { client_id, updated_at: former.updated_at },
      object: { client_id, updated_at: object.updated_at, ...findPersonal(resource, former) },
    });
  }
}
