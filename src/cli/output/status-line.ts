import type { Io } from '../io.ts';

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

interface Spinner {
  text: string;
  stop(): unknown;
}

const refreshMs = 1_000;

/** Makes the line; it is silent where no person watches. */
export function createStatusLine(io: Io, { isQuiet }: { readonly isQuiet: boolean }): StatusLine {
  // A terminal without a width, as some containers have, would keep the spinner clearing lines for ever.
  const hasWidth = !('columns' in io.stderr) || io.stderr.columns !== 0;
  if (isQuiet || !io.terminal.messages || !hasWidth) return silentStatus;
  const texts = new Map<Showing, () => string>();
  let spinner: Spinner | undefined;
  let isStarting = false;
  let isMuted = false;
  let refreshing: NodeJS.Timeout | undefined;
  return {
    show(what, text) {
      texts.set(what, text);
      if (spinner !== undefined) refresh();
      else if (!isStarting) void start();
    },
    hide(what) {
      texts.delete(what);
      refresh();
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
    const { default: ora } = await import('ora');
    isStarting = false;
    const text = current();
    if (text === undefined) return;
    spinner = ora({ text, stream: io.stderr as NodeJS.WriteStream, discardStdin: false }).start();
    refreshing = setInterval(refresh, refreshMs);
  }

  function refresh(): void {
    const text = current();
    if (spinner === undefined) return;
    if (text !== undefined) {
      spinner.text = text;
      return;
    }
    clearInterval(refreshing);
    spinner.stop();
    spinner = undefined;
  }

  function current(): string | undefined {
    return isMuted ? undefined : (texts.get('wait') ?? texts.get('work'))?.();
  }
}
