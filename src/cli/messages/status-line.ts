import type { ClientEvent } from '../../client/events.ts';
import { renderWait } from '../../client/rate-limit/rate-limit-headers.ts';
import { countOf, renderCount } from '../../text/numbers.ts';
import type { Io } from '../io.ts';
import type { Messages } from './messages.ts';

/** The status of long work, shown on standard error at a terminal. */
export interface StatusLine {
  /** Shows a text that is rendered again every second. A wait hides the work that waits for it. */
  show(slot: StatusSlot, text: () => string): void;
  hide(slot: StatusSlot): void;
  /** Shows nothing until disposed. */
  mute(): Disposable;
}

export const silentStatusLine: StatusLine = { show() {}, hide() {}, mute: () => new DisposableStack() };

type StatusSlot = 'wait' | 'work';

const refreshMs = 1_000;

/**
 * Returns a silent line with --quiet and where standard error is no terminal. For a screen reader (`isPlain`), nothing
 * already written changes.
 */
export function createStatusLine(
  io: Io,
  { isQuiet, isPlain }: { readonly isQuiet: boolean; readonly isPlain: () => Promise<boolean> },
): StatusLine {
  // On a terminal without a width, as in some containers, ora would clear lines forever.
  const hasWidth = !('columns' in io.stderr) || io.stderr.columns !== 0;
  if (isQuiet || !io.terminal.messages || !hasWidth) return silentStatusLine;
  const texts = new Map<StatusSlot, () => string>();
  let display: StatusDisplay | undefined;
  let isStarting = false;
  let isMuted = false;
  let refreshTimer: NodeJS.Timeout | undefined;
  return {
    show(slot, text) {
      texts.set(slot, text);
      wake();
    },
    hide(slot) {
      const last = slot === 'work' ? texts.get(slot)?.() : undefined;
      texts.delete(slot);
      refresh(last);
    },
    mute() {
      isMuted = true;
      refresh();
      return {
        [Symbol.dispose]() {
          isMuted = false;
          wake();
        },
      };
    },
  };

  function wake(): void {
    if (display !== undefined) refresh();
    else if (!isStarting && current() !== undefined) void start();
  }

  async function start(): Promise<void> {
    isStarting = true;
    const open = (await isPlain()) ? openTextDisplay : await loadSpinner();
    isStarting = false;
    const text = current();
    if (text === undefined) return;
    display = open(io, text);
    refreshTimer = setInterval(refresh, refreshMs);
  }

  function refresh(last?: string): void {
    const text = current();
    if (display === undefined) return;
    if (text !== undefined) {
      display.show(text);
      return;
    }
    clearInterval(refreshTimer);
    display.stop(last);
    display = undefined;
  }

  function current(): string | undefined {
    return isMuted ? undefined : (texts.get('wait') ?? texts.get('work'))?.();
  }
}

interface StatusDisplay {
  show(text: string): void;
  /** `last` is the final status of finished work. */
  stop(last: string | undefined): void;
}

async function loadSpinner() {
  const { default: ora } = await import('ora');
  return (io: Pick<Io, 'stderr'>, text: string): StatusDisplay => {
    const spinner = ora({ text, stream: io.stderr as NodeJS.WriteStream, discardStdin: false }).start();
    return {
      show(next) {
        spinner.text = next;
      },
      stop: () => void spinner.stop(),
    };
  };
}

/** How often a line is written where lines cannot change. */
const lineIntervalMs = 5_000;

/** Writes whole lines for a screen reader: the first at once, then one every few seconds, then the final status. */
export function openTextDisplay({ stderr, now }: Pick<Io, 'stderr' | 'now'>, text: string): StatusDisplay {
  let written = '';
  let writtenAtMs = 0;
  writeLine(text);
  return {
    show(next) {
      if (now().getTime() - writtenAtMs >= lineIntervalMs) writeLine(next);
    },
    stop(last) {
      if (last !== undefined && last !== written) writeLine(last);
    },
  };

  function writeLine(next: string): void {
    written = next;
    writtenAtMs = now().getTime();
    const end = /[.\u2026]$/.test(next) ? '' : '.';
    stderr.write(`${next.charAt(0).toUpperCase()}${next.slice(1)}${end}\n`);
  }
}

/** Progress of long work, on standard error. */
export type Progress = ReturnType<typeof startProgress>;

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
) {
  const startedAtMs = io.now().getTime();
  let lineAtMs = startedAtMs;
  let text = () => `${action} ${noun}…`;
  // Each look at the terminal is a call of the system.
  const isTerminal = io.terminal.messages;
  const timer = setTimeout(() => status.show('work', () => text()), showAfterMs);
  return {
    update(done: number, total: number | undefined): void {
      const nowMs = io.now().getTime();
      text = () => renderProgress({ done, total, noun, elapsedMs: nowMs - startedAtMs, doneBefore });
      if (isTerminal || nowMs - lineAtMs < lineIntervalMs) return;
      lineAtMs = nowMs;
      writeLine?.(text());
    },
    stop(): void {
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
  const seconds = Math.ceil(left / perSecond);
  const time = seconds >= 90 ? `${Math.ceil(seconds / 60)} minutes` : countOf(seconds, 'seconds');
  if (left > 0 && perSecond > 0) parts.push(`${time} left`);
  return parts.join(', ');
}

/** Shorter waits are not shown on the status line. */
const shownWaitMs = 1_000;
/** Without a status line, a line says so once a command has to wait this long, and then once a minute. */
const reportedWaitMs = 5_000;
const reportIntervalMs = 60_000;

export interface WaitReportOptions {
  readonly status: StatusLine;
  readonly messages: Pick<Messages, 'info' | 'isVerbose'>;
  readonly now: () => number;
}

/** Returns an observer that shows what the client waits for, and for how long: on the status line if there is one. */
export function createWaitReport({ status, messages, now }: WaitReportOptions): (event: ClientEvent) => void {
  let sinceMs: number | undefined;
  let reportedMs = Number.NEGATIVE_INFINITY;
  if (status !== silentStatusLine) {
    return (event) => {
      if (event.type === 'request') status.hide('wait');
      if (!isWait(event) || event.waitMs < shownWaitMs) return;
      const untilMs = now() + event.waitMs;
      status.show('wait', () => describeWait(event, untilMs - now()));
    };
  }
  return (event) => {
    if (event.type === 'response' && event.status < 400) sinceMs = undefined;
    // With --verbose every wait has a line already.
    if (!isWait(event) || messages.isVerbose) return;
    const nowMs = now();
    sinceMs ??= nowMs;
    const isLong = nowMs + event.waitMs - sinceMs >= reportedWaitMs;
    if (!isLong || nowMs - reportedMs < reportIntervalMs) return;
    reportedMs = nowMs;
    messages.info(`${describeWait(event, event.waitMs)}.`);
  };
}

type Wait = Extract<ClientEvent, { type: 'retry' | 'waiting' }>;

function isWait(event: ClientEvent): event is Wait {
  return event.type === 'retry' || event.type === 'waiting';
}

function describeWait(event: Wait, leftMs: number): string {
  const left = renderWait(Math.max(0, leftMs));
  if (event.type === 'waiting') return `Waiting ${left} for the rate limit`;
  return `${event.reason.replace(/\.$/, '')}. Retrying in ${left}`;
}
