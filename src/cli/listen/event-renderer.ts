import { Chalk } from 'chalk';
import { type Fields, isFields } from '../../client/json-object.ts';
import { cleanText } from '../../text/clean-text.ts';
import { isJsonNumber } from '../../text/json.ts';
import { countOf } from '../../text/numbers.ts';
import { createInstantRenderer, renderAmount } from '../output/cell.ts';
import type { FeedEntry } from '../output/command-result.ts';
import type { OutputStyle } from '../output/format.ts';
import { nameOfClient } from '../people/names.ts';
import type { ReceivedWebhook } from './event-intake.ts';
import { type Forwarded, isAccepted } from './forwarder.ts';

/** Counts processed events. */
export function createListenerCounts() {
  let [received, fetched, accepted, refused, unanswered] = [0, 0, 0, 0, 0];
  return {
    add({ source }: ReceivedWebhook, forwarded: Forwarded | null): void {
      received += 1;
      if (source === 'fetched') fetched += 1;
      if (forwarded === null) return;
      if (forwarded.status === null) unanswered += 1;
      else if (isAccepted(forwarded)) accepted += 1;
      else refused += 1;
    },
    /** All counts as a sentence. */
    render(duplicates: number): string {
      const parts = [
        [fetched, 'fetched from the log'],
        [accepted, 'forwarded'],
        [refused, 'refused by the target'],
        [unanswered, 'not delivered to the target'],
        [duplicates, duplicates === 1 ? 'duplicate dropped' : 'duplicates dropped'],
      ] as const;
      const details = parts.flatMap(([count, what]) => (count === 0 ? [] : `${count} ${what}`));
      return `${[countOf(received, 'events'), ...details].join(', ')}.`;
    },
  };
}

/** The width of the longest event type, so that lines align. */
const typeWidth = 'booking.rescheduled'.length;

/**
 * Renders a delivery as a line: type, subject, and the result of forwarding. Times are in a time zone; colour only
 * repeats what the words say.
 */
export function createEventRenderer({ timeZone, color }: Pick<OutputStyle, 'timeZone' | 'color'>) {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'medium' });
  const describe = createEventDescriber(timeZone);
  return (webhook: ReceivedWebhook, forwarded: Forwarded | null): FeedEntry => {
    const { source, receivedAt, id, type, signedAt, event } = webhook;
    const marks = source === 'fetched' ? ['(missed, from the log)'] : [];
    const line = [
      chalk.dim(clock.format(receivedAt)),
      chalk.bold(cleanText(type).padEnd(typeWidth)),
      cleanText(describe(event)),
      chalk.dim(cleanText(id ?? '')),
      ...marks,
      ...(forwarded === null ? [] : [renderForwarded(forwarded)]),
    ];
    const received_at = receivedAt.toISOString();
    const signed_at = signedAt?.toISOString() ?? null;
    return {
      line: line.filter((part) => part !== '').join('  '),
      record: { received_at, source, id: id ?? null, type, signed_at, forwarded, event },
    };
  };

  function renderForwarded(forwarded: Forwarded): string {
    const { status, took_ms, error } = forwarded;
    if (status === null) return chalk.red(`→ ${cleanText(error ?? 'no response')}`);
    const text = `→ ${status} in ${took_ms} ms`;
    return isAccepted(forwarded) ? chalk.green(text) : chalk.red(text);
  }
}

/** Describes an event in a few words, with times in a time zone. Payloads of other services may have any shape. */
export function createEventDescriber(timeZone: string) {
  const renderInstant = createInstantRenderer(timeZone);
  return ({ type, data }: { readonly type: string; readonly data?: unknown }): string => {
    const { object, previous_attributes } = toFields(data);
    const [record, former] = [toFields(object), toFields(previous_attributes)];
    const words = describers[type.split('.')[0] ?? '']?.(record, former, renderInstant) ?? [];
    const details = words.filter((word) => word !== '').join(', ');
    return details === '' ? textOf(record['id']) : details;
  };
}

type Describe = (record: Fields, former: Fields, renderInstant: (iso: string) => string) => readonly string[];

const describers: Readonly<Record<string, Describe>> = {
  booking(record, former, renderInstant) {
    const start = renderInstant(textOf(record['start_time']));
    const before = textOf(former['start_time']);
    return [
      textOf(record['service']),
      before === '' ? start : `${start} (was ${renderInstant(before)})`,
      textOf(record['cancellation_reason']),
    ];
  },
  payment(record) {
    const currency = textOf(record['currency']);
    const refunded = record['refunded_amount'];
    return [
      toAmount(record['amount'], currency),
      textOf(record['method']).replace('_', ' '),
      isJsonNumber(refunded) && Number(refunded) > 0 ? `${toAmount(refunded, currency)} refunded` : '',
    ];
  },
  client(record, former) {
    if (record['deleted'] === true) return [`${textOf(record['id'])} deleted`];
    const name = nameOfClient(record);
    const changed = Object.keys(former);
    return [changed.length === 0 ? name : `${name}: ${changed.join(', ')}`];
  },
  webhook: (record) => [`test of ${textOf(record['id'])}`],
};

function toAmount(amount: unknown, currency: string): string {
  return isJsonNumber(amount) ? renderAmount(Number(amount), currency) : '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function toFields(value: unknown): Fields {
  return isFields(value) ? value : {};
}
