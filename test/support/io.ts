import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Io } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';
import type { Clock } from '../../src/client/deadline.ts';

export interface RunOptions {
  /** Undefined unsets a variable that the defaults set. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  /** Keeps standard input open. */
  readonly stdinStaysOpen?: boolean;
  /** The width of a terminal on all three streams; without it they are pipes. */
  readonly columns?: number;
  /** The height of that terminal; unlimited by default. */
  readonly rows?: number;
  readonly now?: Date;
  readonly clock?: Clock;
  /** UTC by default; null where the machine names none. */
  readonly timeZone?: string | null;
  /** Whether nothing sets the time zone of a salon that only the environment names, so that its service is asked. */
  readonly asksForZone?: boolean;
  /** Whether neither the environment nor the system knows a home folder. */
  readonly isHomeless?: boolean;
  readonly signal?: AbortSignal;
  /** As in a release that is published there. */
  readonly releaseUrl?: string;
  /** Called after each write with all output so far. */
  readonly watch?: (written: Omit<RunResult, 'exitCode'>) => void;
}

export interface RunResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands one after another in one home folder, which starts empty. */
export interface Machine extends Disposable {
  readonly home: string;
  salon(argv: readonly string[], options?: RunOptions): Promise<RunResult>;
}

/** `defaults` apply to every command. */
export function createMachine(defaults: RunOptions = {}): Machine {
  const home = mkdtempSync(join(tmpdir(), 'salon-test-'));
  return {
    ...openMachine(home, defaults),
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** Runs commands in a home folder that is there. */
export function openMachine(home: string, defaults: RunOptions = {}): Omit<Machine, keyof Disposable> {
  return {
    home,
    async salon(argv, options = {}) {
      const onWrite = () => options.watch?.({ stdout: stdout.text(), stderr: stderr.text() });
      const stdout: Sink = createSink(onWrite);
      const stderr: Sink = createSink(onWrite);
      const io = createIo({ ...defaults, ...options, env: { ...defaults.env, ...options.env } }, home, {
        stdout,
        stderr,
      });
      const exitCode = await run(argv, io);
      return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
    },
  };
}

function createIo(options: RunOptions, home: string, streams: { stdout: Writable; stderr: Writable }): Io {
  const isTerminal = options.columns !== undefined;
  const { timeZone = 'UTC', asksForZone = false, env } = options;
  const zone =
    env?.['SALON_API_KEY'] === undefined || asksForZone ? {} : { SALON_TIME_ZONE: timeZone ?? undefined };
  return {
    ...streams,
    stdin: createInput(options),
    // Tests do not touch the developer's keyring.
    env: { SALON_NO_KEYRING: '1', ...zone, ...env },
    cwd: home,
    homeFolder: options.isHomeless ? undefined : home,
    userId: process.geteuid?.(),
    platform: process.platform,
    nodeVersion: process.versions.node,
    executable: process.execPath,
    tzVersion: process.versions['tz'],
    releaseUrl: options.releaseUrl,
    terminal: {
      input: isTerminal,
      output: isTerminal,
      messages: isTerminal,
      columns: options.columns ?? 80,
      rows: options.rows ?? 100_000,
    },
    timeZone: timeZone ?? undefined,
    signal: options.signal ?? new AbortController().signal,
    discardTyped: async () => {},
    lendTerminal: () => new DisposableStack(),
    onExit: () => new DisposableStack(),
    onHangup: () => new DisposableStack(),
    onRestart: () => new DisposableStack(),
    clock: options.clock,
    now: () => options.now ?? new Date(),
    random: (size) => crypto.getRandomValues(new Uint8Array(size)),
  };
}

function createInput({ stdin, stdinStaysOpen = false }: RunOptions): Readable {
  if (stdinStaysOpen) return new Readable({ read() {} });
  return Readable.from(stdin === undefined ? [] : [Buffer.from(stdin)]);
}

interface Sink extends Writable {
  text(): string;
}

function createSink(onWrite: () => void): Sink {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      onWrite();
      done();
    },
  });
  return Object.assign(sink, { text: () => Buffer.concat(chunks).toString('utf8') });
}
