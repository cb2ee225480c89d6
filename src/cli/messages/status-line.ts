import type { Io } from '../io.ts';
import type { StatusDisplay } from './status-display.ts';

/** The one line on a terminal that changes while something takes long. */
export interface StatusLine {
  /** Shows a text as it is at every moment. A wait hides the work that waits for it. */
  show(what: Showing, text: () => string): void;
  hide(what: Showing): void;
  /** Shows nothing until the answer is disposed of. */
  mute(): Disposable;
}

/** A line that nobody sees. */
export const silentStatus: StatusLine = { show() {}, hide() {}, mute: () => new DisposableStack() };

type Showing = 'wait' | 'work';

export interface StatusLineOptions {
  readonly isQuiet: boolean;
  /** Whether a screen reader reads it: then nothing that was written changes. */
  readonly isPlain: () => Promise<boolean>;
}

const refreshMs = 1_000;

/** Makes the line; it is silent where no person watches. */
export function createStatusLine(io: Io, { isQuiet, isPlain }: StatusLineOptions): StatusLine {
  // A terminal without a width, as some containers have, would keep the spinner clearing lines for ever.
  const hasWidth = !('columns' in io.stderr) || io.stderr.columns !== 0;
  if (isQuiet || !io.terminal.messages || !hasWidth) return silentStatus;
  const texts = new Map<Showing, () => string>();
  let display: StatusDisplay | undefined;
  let isStarting = false;
  let isMuted = false;
  let refreshing: NodeJS.Timeout | undefined;
  return {
    show(what, text) {
      texts.set(what, text);
      if (display !== undefined) refresh();
      else if (!isStarting) void start();
    },
    hide(what) {
      const last = what === 'work' ? texts.get(what)?.() : undefined;
      texts.delete(what);
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
    const { openDisplay } = (await isPlain()) ? await import('./sentences.ts') : await import('./spinner.ts');
    isStarting = false;
    const text = current();
    if (text === undefined) return;
    display = openDisplay(io, text);
    refreshing = setInterval(refresh, refreshMs);
  }

  function refresh(last?: string): void {
    const text = current();
    if (display === undefined) return;
    if (text !== undefined) {
      display.show(text);
      return;
    }
    clearInterval(refreshing);
    display.stop(last);
    display = undefined;
  }

  function current(): string | undefined {
    return isMuted ? undefined : (texts.get('wait') ?? texts.get('work'))?.();
  }
}
