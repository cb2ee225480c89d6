import { readlinkSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import packageFile from '../../package.json' with { type: 'json' };
import { systemCodeOf } from '../bulk/jobs/file-access.ts';
import type { Clock } from '../client/deadline.ts';
import { SalonError } from '../contract/errors.ts';
import { parseTzVariable } from '../time/time.ts';

/** The version of this package. */
export const version: string = packageFile.version;

/** Put in by the build of a release. */
declare const buildReleaseUrl: string | undefined;

/** The process as a command sees it: streams, environment, terminal, clock. Tests pass their own. */
export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Undefined if neither the environment nor the system knows one. */
  readonly homeFolder: string | undefined;
  /** The number of the user that the process runs as; Windows has none. */
  readonly userId: number | undefined;
  readonly platform: NodeJS.Platform;
  readonly nodeVersion: string;
  /** The program file of this process: Node, or an executable with it. */
  readonly executable: string;
  /** Version of the time zone database that this process uses, such as `2026c`. */
  readonly tzVersion: string | undefined;
  /** Where newer versions are. Undefined in a checkout, and in releases that are published nowhere. */
  readonly releaseUrl?: string | undefined;
  readonly terminal: Terminal;
  /** IANA name of the system's time zone; undefined where TZ, or the system, names none. */
  readonly timeZone: string | undefined;
  /** Aborted by the first interrupt; its reason is the name of the signal. */
  readonly signal: AbortSignal;
  /** Throws away what was typed at the terminal before a question is there to see. */
  discardTyped(): Promise<void>;
  /** Leaves the terminal to another program until disposed: ignores Ctrl-C and holds back standard error. */
  lendTerminal(): Disposable;
  /** Calls `act` if the process ends at once, as by a second interrupt. */
  onExit(act: () => void): Disposable;
  /** Calls `act` for each SIGHUP until disposed. It interrupts nothing then. */
  onHangup(act: () => void): Disposable;
  /** Calls `act` for each SIGUSR2, which would end the process, until disposed. */
  onRestart(act: () => void): Disposable;
  now(): Date;
  /** For requests and the waits between them; the system's by default. */
  readonly clock?: Clock | undefined;
  random(size: number): Uint8Array;
}

/** Which streams are terminals, and the size of the screen. */
interface Terminal {
  readonly input: boolean;
  readonly output: boolean;
  readonly messages: boolean;
  readonly columns: number;
  readonly rows: number;
}

export type Interrupt = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

const exitStatusOf: Record<Interrupt, number> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/**
 * The first interrupt aborts `signal`; the second ends the process.
 * Streams, time zone and signals are looked up on first use, because each slows down the start.
 */
export function systemIo(process: NodeJS.Process): Io {
  let interrupts: ReturnType<typeof createInterrupts> | undefined;
  const watchInterrupts = () => {
    interrupts ??= createInterrupts(process);
    return interrupts;
  };
  const isTerminal = (descriptor: number) => process.getBuiltinModule('node:tty').isatty(descriptor);
  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return withErrorListener(process.stdout);
    },
    get stderr() {
      return withErrorListener(process.stderr);
    },
    env: process.env,
    get cwd() {
      return readWorkingFolder(process);
    },
    get homeFolder() {
      return findHomeFolder(process);
    },
    userId: process.geteuid?.(),
    platform: process.platform,
    nodeVersion: process.versions.node,
    executable: process.execPath,
    tzVersion: process.versions.tz,
    releaseUrl: typeof buildReleaseUrl === 'undefined' ? undefined : buildReleaseUrl,
    terminal: {
      get input() {
        return isTerminal(0);
      },
      get output() {
        return isTerminal(1);
      },
      get messages() {
        return isTerminal(2);
      },
      get columns() {
        return process.stdout.columns || process.stderr.columns || 80;
      },
      get rows() {
        return process.stdout.rows || process.stderr.rows || 24;
      },
    },
    get timeZone() {
      const { TZ } = process.env;
      if (TZ !== undefined && !/^:?\/etc\/localtime$/.test(TZ)) return parseTzVariable(TZ);
      return linkedTimeZone() ?? parseTzVariable(Intl.DateTimeFormat().resolvedOptions().timeZone ?? '');
    },
    get signal() {
      return watchInterrupts().signal;
    },
    discardTyped: () => discardTyped(process),
    lendTerminal() {
      const lent = new DisposableStack();
      lent.use(watchInterrupts().ignoreCtrlC());
      if (isTerminal(2)) {
        process.stderr.cork();
        lent.defer(() => process.stderr.uncork());
      }
      return lent;
    },
    onExit(act) {
      process.once('exit', act);
      return toDisposable(() => process.removeListener('exit', act));
    },
    onHangup: (act) => watchInterrupts().onHangup(act),
    onRestart(act) {
      // Windows has no such signal.
      if (process.platform === 'win32') return new DisposableStack();
      process.on('SIGUSR2', act);
      return toDisposable(() => process.removeListener('SIGUSR2', act));
    },
    now: () => new Date(),
    // The global crypto loads the Web Crypto API, which takes 5 ms.
    random: (size) => process.getBuiltinModule('node:crypto').randomFillSync(new Uint8Array(size)),
  };
}

async function discardTyped({ stdin, pid, kill }: NodeJS.Process): Promise<void> {
  if (!stdin.isTTY) return;
  let isTyping = false;
  const onData = (typed: Buffer) => {
    isTyping = true;
    // Raw mode makes Ctrl-C a character.
    if (typed.includes('\x03')) kill(pid, 'SIGINT');
  };
  // In raw mode, a line need not be ended to be read.
  stdin.setRawMode(true).on('data', onData).resume();
  do {
    isTyping = false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  } while (isTyping);
  stdin.off('data', onData).pause().setRawMode(false);
}

/** A relative HOME is no home: it would be another folder for every working folder. */
function findHomeFolder(process: NodeJS.Process): string | undefined {
  const given = process.env['HOME'] || process.env['USERPROFILE'] || '';
  if (isAbsolute(given)) return given;
  try {
    const { homedir } = process.getBuiltinModule('node:os').userInfo();
    return isAbsolute(homedir) ? homedir : undefined;
  } catch {
    // A container may run as a user that the system does not know.
    return undefined;
  }
}

function readWorkingFolder(process: NodeJS.Process): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new SalonError('usage', 'The current folder no longer exists.', {
      hint: 'Change to another folder.',
      cause,
    });
  }
}

/** Reads the time zone from the system's link. Intl would load language data for it: 9 MiB and 15 ms. */
function linkedTimeZone(): string | undefined {
  try {
    return /\/zoneinfo\/([A-Z][\w+-]*(?:\/[\w+-]+)*)$/.exec(readlinkSync('/etc/localtime'))?.[1];
  } catch {
    return undefined;
  }
}

/**
 * Keeps a closed pipe from crashing the process: the failed write rejects, and the run sets the exit code.
 * Threads of an embedded service also listen to the stream, but not to its end.
 */
function withErrorListener(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (!stream.listeners('error').includes(ignoreError)) stream.on('error', ignoreError);
  return stream;
}

function ignoreError(): void {}

/** One key press can arrive twice: from the terminal, and again from npm or the launcher. */
const repeatedSignalMs = 250;

function createInterrupts(process: NodeJS.Process) {
  const controller = new AbortController();
  let firstAtMs = 0;
  let isIgnoring = false;
  let hangup: (() => void) | undefined;
  for (const name of Object.keys(exitStatusOf) as Interrupt[]) {
    process.on(name, () => {
      if (isIgnoring && name === 'SIGINT') return;
      if (hangup !== undefined && name === 'SIGHUP') {
        hangup();
        return;
      }
      const nowMs = performance.now();
      if (!controller.signal.aborted) firstAtMs = nowMs;
      else if (nowMs - firstAtMs > repeatedSignalMs) process.exit(exitStatusOf[name]);
      controller.abort(name);
    });
  }
  return {
    signal: controller.signal,
    /** Ignores Ctrl-C until disposed. */
    ignoreCtrlC() {
      isIgnoring = true;
      return toDisposable(() => {
        isIgnoring = false;
      });
    },
    /** Calls `act` for SIGHUP instead of interrupting, until disposed. */
    onHangup(act: () => void) {
      hangup = act;
      return toDisposable(() => {
        hangup = undefined;
      });
    },
  };
}

function toDisposable(act: () => void): Disposable {
  return { [Symbol.dispose]: act };
}

/** Writes a text and waits until it is flushed, so that memory stays bounded. Rejects when the reader is gone. */
export function write(stream: Writable, chunk: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

/** Whether a write failed because the reader closed the pipe, as with `| head`. */
export function isClosedPipe(error: unknown): boolean {
  return ['EPIPE', 'ERR_STREAM_DESTROYED'].includes(systemCodeOf(error) ?? '');
}

/** What a pager, an editor it opens and a browser may need, on any system. */
const programVariables =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|LANG|LANGUAGE|LC_\w+|TZ|TERM|TERMINFO\w*|TERM_PROGRAM\w*|COLORTERM|COLUMNS|LINES|NO_COLOR|TMPDIR|TMP|TEMP|LESS\w*|LV|MORE|PAGER|EDITOR|VISUAL|BROWSER|DISPLAY|XAUTHORITY|WAYLAND_\w+|XDG_\w+|DBUS_\w+|DESKTOP_SESSION|GNOME_\w+|KDE_\w+|WSL\w+|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES|USERPROFILE|USERNAME|HOMEDRIVE|HOMEPATH)$/i;

/** The environment of another program: without keys, passwords and the settings of salon. */
export function toProgramEnv(env: Io['env']): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => programVariables.test(name)));
}
