import { resolve } from 'node:path';
import { countOf } from '../../contract/numbers.ts';
import type { FeedEntry } from '../output/command-result.ts';
import { wantsColor } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { ReceivedWebhook } from './event-intake.ts';
import { createEventRenderer } from './event-renderer.ts';
import { createForwarder, type Forwarded, isAccepted, openTarget } from './forwarder.ts';
import { openRecording } from './recording.ts';

/** Records, forwards and renders each received webhook. */
export interface EventProcessor extends Disposable {
  /** Returns what to print. Throws `output_failed` if the webhook cannot be recorded. */
  handle(webhook: ReceivedWebhook): Promise<FeedEntry>;
  readonly counts: ListenerCounts;
}

export interface EventProcessorOptions {
  readonly context: CommandContext;
  readonly target: URL | undefined;
  /** The file to record webhooks in. */
  readonly record: string | undefined;
}

export async function openEventProcessor({
  context,
  target,
  record,
}: EventProcessorOptions): Promise<EventProcessor> {
  const { io, messages, flags } = context;
  const recording = record === undefined ? undefined : openRecording(resolve(io.cwd, record));
  const postbox = target === undefined ? undefined : await openTarget(target, context);
  const forward = postbox && createForwarder({ postbox, now: io.now, signal: io.signal, say: messages.warn });
  const timeZone = (await context.session()).settings.timeZone.value;
  const render = createEventRenderer({ timeZone, color: wantsColor(io, flags.color) });
  const tally = createListenerCounts();
  return {
    async handle(webhook) {
      recording?.append(webhook);
      const forwarded = forward === undefined ? null : await forward(webhook);
      tally.add(webhook, forwarded);
      return render(webhook, forwarded);
    },
    counts: tally,
    [Symbol.dispose]: () => recording?.[Symbol.dispose](),
  };
}

/** Counts processed events. */
export interface ListenerCounts {
  add(webhook: ReceivedWebhook, forwarded: Forwarded | null): void;
  /** Renders all counts as a sentence. */
  render(repeats: number): string;
}

function createListenerCounts(): ListenerCounts {
  let received = 0;
  let fetched = 0;
  let accepted = 0;
  let refused = 0;
  let unanswered = 0;
  return {
    add({ source }, forwarded) {
      received += 1;
      if (source === 'fetched') fetched += 1;
      if (forwarded === null) return;
      if (forwarded.status === null) unanswered += 1;
      else if (isAccepted(forwarded)) accepted += 1;
      else refused += 1;
    },
    render(repeats) {
      const parts = [
        [fetched, 'fetched from the log'],
        [accepted, 'forwarded'],
        [refused, 'refused by the target'],
        [unanswered, 'not delivered to the target'],
        [repeats, repeats === 1 ? 'duplicate dropped' : 'duplicates dropped'],
      ] as const;
      const details = parts.flatMap(([count, what]) => (count === 0 ? [] : `${count} ${what}`));
      return `${[countOf(received, 'events'), ...details].join(', ')}.`;
    },
  };
}
