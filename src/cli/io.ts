import { readlinkSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { isatty } from 'node:tty';

/** Everything a run takes from the world outside: facts and streams, so that a test can hand in its own. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly homeFolder: string;
  readonly platform: NodeJS.Platform;
  readonly terminal: Terminal;
  /** IANA name of the zone the system is set to. */
  readonly timeZone: string;
  /** Aborted by the first interrupt; its reason is the name of the signal. */
  readonly signal: AbortSignal;
  /**
   * Leaves the terminal to another program until the answer is disposed of: Ctrl-C is meant for that one, and what
   * is written to standard error waits.
   */
  lendTerminal(): Disposable;
  now(): Date;
  random(size: number): Uint8Array;
}

/** Which of the streams a person sits at, and how much room there is. */
export interface Terminal {
  readonly input: boolean;
  readonly output: boolean;
  readonly messages: boolean;
  readonly columns: number;
  readonly rows: number;
}

export type Interrupt = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

const exitStatusOf: Record<Interrupt, number> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/**
 * The real world. The second interrupt ends the process at once; the first is only told to the run.
 * Streams, zone and signals are looked up when they are asked for: help needs few of them, and each costs.
 */
export function systemIo(process: NodeJS.Process): Io {
  let interrupts: Interrupts | undefined;
  const watchInterrupts = () => {
    interrupts ??= createInterrupts(process);
    return interrupts;
  };
  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return withoutSurprise(process.stdout);
    },
    get stderr() {
      return withoutSurprise(process.stderr);
    },
    env: process.env,
    cwd: process.cwd(),
    homeFolder: process.env['HOME'] ?? process.env['USERPROFILE'] ?? process.cwd(),
    platform: process.platform,
    terminal: {
      input: isatty(0),
      output: isatty(1),
      messages: isatty(2),
      get columns() {
        return process.stdout.columns || process.stderr.columns || 80;
      },
      get rows() {
        return process.stdout.rows || process.stderr.rows || 24;
      },
    },
    get timeZone() {
      return linkedTimeZone(process) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
    get signal() {
      return watchInterrupts().signal;
    },
    lendTerminal() {
      const lent = new DisposableStack();
      lent.use(watchInterrupts().leaveKeys());
      if (isatty(2)) {
        process.stderr.cork();
        lent.defer(() => process.stderr.uncork());
      }
      return lent;
    },
    now: () => new Date(),
    // The global crypto would load what browsers have beside it: 5 ms.
    random: (size) => process.getBuiltinModule('node:crypto').randomFillSync(new Uint8Array(size)),
  };
}

/** The zone that the system's clock is linked to. To find it Intl would load language data: 9 MiB and 15 ms. */
function linkedTimeZone({ env }: NodeJS.Process): string | undefined {
  if (env['TZ']) return undefined;
  try {
    return /\/zoneinfo\/([A-Z][\w+-]*(?:\/[\w+-]+)*)$/.exec(readlinkSync('/etc/localtime'))?.[1];
  } catch {
    return undefined;
  }
}

/** A reader that went away shows up as a failed write, which the run turns into its exit code. */
function withoutSurprise(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (stream.listenerCount('error') === 0) stream.on('error', () => {});
  return stream;
}

/** One key press can arrive more than once: from the terminal, and again from npm or the launcher. */
const samePressMs = 250;

interface Interrupts {
  readonly signal: AbortSignal;
  /** Passes over Ctrl-C until the answer is disposed of. */
  leaveKeys(): Disposable;
}

function createInterrupts(process: NodeJS.Process): Interrupts {
  const controller = new AbortController();
  let firstAtMs = 0;
  let isForOthers = false;
  for (const name of Object.keys(exitStatusOf) as Interrupt[]) {
    process.on(name, () => {
      if (isForOthers && name === 'SIGINT') return;
      const nowMs = performance.now();
      if (!controller.signal.aborted) firstAtMs = nowMs;
      else if (nowMs - firstAtMs > samePressMs) process.exit(exitStatusOf[name]);
      controller.abort(name);
    });
  }
  return {
    signal: controller.signal,
    leaveKeys() {
      isForOthers = true;
      return {
        [Symbol.dispose]() {
          isForOthers = false;
        },
      };
    },
  };
}

/** Writes a text and waits until the stream can take more, so that memory stays bounded. Rejects when the reader is gone. */
export function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Whether a write failed because nobody reads any more, as under `| head`. */
export function isClosedPipe(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED')
  );
}
