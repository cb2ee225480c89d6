import type { Io } from '../io.ts';

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

export interface StatusLineOptions {
  readonly isQuiet: boolean;
  /** Whether the output is for a screen reader: nothing already written changes. */
  readonly isPlain: () => Promise<boolean>;
}

const refreshMs = 1_000;

/** Returns a silent line with --quiet and where standard error is no terminal. */
export function createStatusLine(io: Io, { isQuiet, isPlain }: StatusLineOptions): StatusLine {
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
      if (display !== undefined) refresh();
      else if (!isStarting) void start();
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
        },
      };
    },
  };

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
export const lineIntervalMs = 5_000;

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
