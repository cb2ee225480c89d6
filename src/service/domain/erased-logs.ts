import type { DeliveryAttempt } from '../../contract/delivery.ts';
import { identifierPrefixes } from '../../contract/identifiers.ts';
import type { Writer } from '../db/engine.ts';
import {
  type ErasedClient,
  eraseEventsOfClient,
  eraseResponsesOfClient,
  readEventsOfClient,
  replaceEventBody,
} from '../db/events.ts';
import { readResultsOfClient, replaceResult } from '../db/idempotency.ts';
import { findPersonal } from './personal-fields.ts';

interface ErasedTraces extends ErasedClient {
  /** The appointments and payments to erase; all of the client's if left out. */
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
export async function eraseEvents(
  tx: Writer,
  { nowMs, ...client }: ErasedTraces & { readonly nowMs: number },
): Promise<void> {
  const { accountId } = client;
  await eraseResponsesOfClient(tx, client);
  await eraseEventsOfClient(tx, { ...client, nowMs });
  for (const { seq, body } of await readEventsOfClient(tx, client)) {
    const erased = eraseEventTexts(JSON.parse(body), client);
    if (erased !== undefined) await replaceEventBody(tx, { accountId, seq, body: JSON.stringify(erased) });
  }
}

/** Erases a client's personal data in saved results of requests. */
export async function eraseResults(tx: Writer, client: ErasedTraces): Promise<void> {
  for (const { key, record_id, answer } of await readResultsOfClient(tx, client)) {
    const result = JSON.parse(answer);
    const erased = record_id?.startsWith(identifierPrefixes.client) ? null : eraseResult(result, client);
    if (erased !== undefined) {
      const { accountId } = client;
      await replaceResult(tx, { accountId, key, answer: erased === null ? null : JSON.stringify(erased) });
    }
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
  const resource = 'amount' in result ? 'payment' : 'appointment';
  return eraseTexts(resource, result, isErased(String(result['id']), client));
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
  return {
    ...event,
    data: {
      ...event.data,
      object: current ?? object,
      ...(former === undefined ? {} : { previous_attributes: former }),
    },
  };
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
