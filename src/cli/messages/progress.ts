import { renderCount } from '../../contract/numbers.ts';
import type { Io } from '../io.ts';
import type { StatusLine } from './status-line.ts';

/** How far long work has come, told on standard error. */
export interface Progress {
  update(done: number, total: number | undefined): void;
  stop(): void;
}

export interface ProgressOptions {
  readonly noun: string;
  /** What is done to them; reading, unless said otherwise. */
  readonly act?: string;
  readonly status: StatusLine;
  /** Where it is told line by line when nobody sits at a terminal. */
  readonly explain?: (text: string) => void;
  /** How much was done before the work began. */
  readonly before?: number;
}

/** Work shorter than this shows nothing. */
const patienceMs = 300;

/** How often a line is written where none can change. */
const lineEveryMs = 5_000;

/** Shows count, total, rate and time left on the status line, else a line of it now and then. */
export function startProgress(
  io: Io,
  { noun, act = 'Reading', status, explain, before = 0 }: ProgressOptions,
): Progress {
  const startedAt = io.now().getTime();
  let toldAt = startedAt;
  let text = () => `${act} ${noun}…`;
  const timer = setTimeout(() => status.show('work', () => text()), patienceMs);
  return {
    update(done, total) {
      const nowMs = io.now().getTime();
      text = () => renderProgress({ done, total, noun, elapsedMs: nowMs - startedAt, before });
      if (io.terminal.messages || nowMs - toldAt < lineEveryMs) return;
      toldAt = nowMs;
      explain?.(text());
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
  readonly before?: number;
}

/** "12,000 of 100,000 clients, 4,200 a second, 21 seconds left". */
export function renderProgress({ done, total, noun, elapsedMs, before = 0 }: ProgressState): string {
  const perSecond = elapsedMs > 0 ? (done - before) / (elapsedMs / 1000) : 0;
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
