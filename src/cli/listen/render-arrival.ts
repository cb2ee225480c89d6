import { Chalk } from 'chalk';
import { cleanText } from '../messages/clean-text.ts';
import type { FeedEntry } from '../output/command-result.ts';
import type { Arrival } from './arrival.ts';
import { createEventDescriber } from './describe-event.ts';
import type { Forwarded } from './forwarder.ts';
import { isAccepted } from './tally.ts';

/** Says of a webhook what it was, what it is about, and what came of handing it on. */
export type RenderArrival = (arrival: Arrival, forwarded: Forwarded | null) => FeedEntry;

/** As long as the longest name of an event, so that lines stand below each other. */
const typeWidth = 'booking.rescheduled'.length;

/** Times are those of a zone; colour says again what the words say. */
export function createArrivalRenderer(style: {
  readonly timeZone: string;
  readonly color: boolean;
}): RenderArrival {
  const chalk = new Chalk({ level: style.color ? 1 : 0 });
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: style.timeZone, timeStyle: 'medium' });
  const describe = createEventDescriber(style.timeZone);
  return (arrival, forwarded) => {
    const { source, receivedAt, id, type, event } = arrival;
    const marks = source === 'fetched' ? ['(missed, from the log)'] : [];
    const line = [
      chalk.dim(clock.format(receivedAt)),
      chalk.bold(cleanText(type).padEnd(typeWidth)),
      cleanText(describe(event)),
      chalk.dim(cleanText(id ?? '')),
      ...marks,
      ...(forwarded === null ? [] : [renderForwarded(forwarded)]),
    ];
    return { line: line.filter((part) => part !== '').join('  '), record: toRecord(arrival, forwarded) };
  };

  function renderForwarded(forwarded: Forwarded): string {
    const { status, took_ms, error } = forwarded;
    if (status === null) return chalk.red(`→ ${cleanText(error ?? 'no answer')}`);
    const text = `→ ${status} in ${took_ms} ms`;
    return isAccepted(forwarded) ? chalk.green(text) : chalk.red(text);
  }
}

function toRecord(arrival: Arrival, forwarded: Forwarded | null): Readonly<Record<string, unknown>> {
  const { source, receivedAt, id = null, type, signedAt, event } = arrival;
  return {
    received_at: receivedAt.toISOString(),
    source,
    id,
    type,
    signed_at: signedAt?.toISOString() ?? null,
    forwarded,
    event,
  };
}
