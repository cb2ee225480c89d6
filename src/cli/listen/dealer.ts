import { resolve } from 'node:path';
import type { FeedEntry } from '../output/command-result.ts';
import { wantsColor } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { Arrival } from './arrival.ts';
import { createForwarder } from './forwarder.ts';
import { openRecording } from './recording.ts';
import { createArrivalRenderer } from './render-arrival.ts';
import { createTally, type Tally } from './tally.ts';
import { openTarget } from './target.ts';

/** What is done with each webhook that came. */
export interface Dealer extends Disposable {
  /** Records it, hands it on, and says what there is to print. Throws `output_failed` where it cannot be recorded. */
  deal(arrival: Arrival): Promise<FeedEntry>;
  readonly tally: Tally;
}

export interface DealerOptions {
  readonly context: CommandContext;
  readonly target: URL | undefined;
  /** The file that webhooks are recorded in. */
  readonly record: string | undefined;
}

export async function openDealer({ context, target, record }: DealerOptions): Promise<Dealer> {
  const { io, messages, flags } = context;
  const recording = record === undefined ? undefined : openRecording(resolve(io.cwd, record));
  const postbox = target === undefined ? undefined : await openTarget(target, context);
  const forward = postbox && createForwarder({ postbox, now: io.now, signal: io.signal, say: messages.warn });
  const timeZone = (await context.session()).settings.timeZone.value;
  const render = createArrivalRenderer({ timeZone, color: wantsColor(io, flags.color) });
  const tally = createTally();
  return {
    async deal(arrival) {
      recording?.append(arrival);
      const forwarded = forward === undefined ? null : await forward(arrival);
      tally.add(arrival, forwarded);
      return render(arrival, forwarded);
    },
    tally,
    [Symbol.dispose]: () => recording?.[Symbol.dispose](),
  };
}
