import { countOf } from '../../contract/numbers.ts';
import type { Arrival } from './arrival.ts';
import type { Forwarded } from './forwarder.ts';

/** Counts what a listener dealt with. */
export interface Tally {
  add(arrival: Arrival, forwarded: Forwarded | null): void;
  /** All of it in a sentence. */
  render(repeats: number): string;
}

export function createTally(): Tally {
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
        [refused, 'forwarded and refused'],
        [unanswered, 'forwarded to nobody'],
        [repeats, repeats === 1 ? 'repeat dropped' : 'repeats dropped'],
      ] as const;
      const told = parts.flatMap(([count, what]) => (count === 0 ? [] : `${count} ${what}`));
      return `${[countOf(received, 'events'), ...told].join(', ')}.`;
    },
  };
}

/** Whether a receiver said that it has it. */
export function isAccepted({ status }: Pick<Forwarded, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}
