import { renderCount } from '../../contract/numbers.ts';
import type { Io } from '../io.ts';
import { lineIntervalMs, type StatusLine } from './status-line.ts';

/** Progress of long work, on standard error. */
export interface Progress {
  update(done: number, total: number | undefined): void;
  stop(): void;
}

export interface ProgressOptions {
  readonly noun: string;
  /** Defaults to `Reading`. */
  readonly action?: string;
  readonly status: StatusLine;
  /** Receives a line every few seconds where standard error is no terminal. */
  readonly writeLine?: (text: string) => void;
  /** Rows done by an earlier run, which do not count towards the rate. */
  readonly doneBefore?: number;
}

/** Shorter work shows nothing. */
const showAfterMs = 300;

/** Shows count, total, rate and time left on the status line, or writes them as lines where there is no terminal. */
export function startProgress(
  io: Io,
  { noun, action = 'Reading', status, writeLine, doneBefore = 0 }: ProgressOptions,
): Progress {
  const startedAtMs = io.now().getTime();
  let lineAtMs = startedAtMs;
  let text = () => `${action} ${noun}…`;
  const timer = setTimeout(() => status.show('work', () => text()), showAfterMs);
  return {
    update(done, total) {
      const nowMs = io.now().getTime();
      text = () => renderProgress({ done, total, noun, elapsedMs: nowMs - startedAtMs, doneBefore });
      if (io.terminal.messages || nowMs - lineAtMs < lineIntervalMs) return;
      lineAtMs = nowMs;
      writeLine?.(text());
    },
    stop() {
      clearTimeout(timer);
      status.hide('work');
    },
  };
}

export interface ProgressState {
  readonly done: number;
  readonly total: number | undefined;
  readonly noun: string;
  readonly elapsedMs: number;
  readonly doneBefore?: number;
}

/** "12,000 of 100,000 clients, 4,200 a second, 21 seconds left". */
export function renderProgress({ done, total, noun, elapsedMs, doneBefore = 0 }: ProgressState): string {
  const perSecond = elapsedMs > 0 ? (done - doneBefore) / (elapsedMs / 1000) : 0;
  const of = total === undefined ? '' : ` of ${renderCount(total)}`;
  const parts = [`${renderCount(done)}${of} ${noun}`];
  if (perSecond >= 1) parts.push(`${renderCount(Math.round(perSecond))} a second`);
  const left = total === undefined ? 0 : Math.max(0, total - done);
  if (left > 0 && perSecond > 0) parts.push(`${renderSeconds(left / perSecond)} left`);
  return parts.join(', ');
}

function renderSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole >= 90) return `${Math.ceil(whole / 60)} minutes`;
  return whole === 1 ? '1 second' : `${whole} seconds`;
}
