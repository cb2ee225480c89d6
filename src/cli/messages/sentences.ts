import type { Io } from '../io.ts';
import type { StatusDisplay } from './status-display.ts';

/** How long a sentence stands before the next one follows. */
export const sentenceEveryMs = 5_000;

/** Sentences on lines of their own: the first at once, one every few seconds, and what the work came to. */
export function openDisplay({ stderr, now }: Pick<Io, 'stderr' | 'now'>, text: string): StatusDisplay {
  let told = '';
  let toldAtMs = 0;
  tell(text);
  return {
    show(next) {
      if (now().getTime() - toldAtMs >= sentenceEveryMs) tell(next);
    },
    stop(last) {
      if (last !== undefined && last !== told) tell(last);
    },
  };

  function tell(next: string): void {
    told = next;
    toldAtMs = now().getTime();
    const end = /[.…]$/.test(next) ? '' : '.';
    stderr.write(`${next.charAt(0).toUpperCase()}${next.slice(1)}${end}\n`);
  }
}
