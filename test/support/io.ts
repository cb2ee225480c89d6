import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Io } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';

export interface World {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Standard input comes to no end. */
  readonly stdinStaysOpen?: boolean;
  /** A terminal this wide on all three streams; left out: pipes. */
  readonly columns?: number;
  /** Lines of that terminal; left out, more than anything needs. */
  readonly rows?: number;
  readonly now?: Date;
  readonly timeZone?: string;
  readonly signal?: AbortSignal;
  /** Told of what a command writes while it runs: all of it so far. */
  readonly watch?: (written: Omit<Ran, 'exitCode'>) => void;
}

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A person's machine: an empty home of its own, in which commands run one after another. */
export interface Machine extends Disposable {
  readonly home: string;
  salon(argv: readonly string[], world?: World): Promise<Ran>;
}

/** Makes a machine; what `always` says holds for each of its commands. */
export function createMachine(always: World = {}): Machine {
  const home = mkdtempSync(join(tmpdir(), 'salon-test-'));
  return {
    home,
    async salon(argv, world = {}) {
      const tell = () => world.watch?.({ stdout: stdout.text(), stderr: stderr.text() });
      const stdout: Sink = createSink(tell);
      const stderr: Sink = createSink(tell);
      const io = createIo({ ...always, ...world, env: { ...always.env, ...world.env } }, home, {
        stdout,
        stderr,
      });
      const exitCode = await run(argv, io);
      return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
    },
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
}

function createIo(world: World, home: string, streams: { stdout: Writable; stderr: Writable }): Io {
  const isTerminal = world.columns !== undefined;
  return {
    ...streams,
    stdin: createInput(world),
    env: world.env ?? {},
    cwd: home,
    homeFolder: home,
    platform: process.platform,
    terminal: {
      input: isTerminal,
      output: isTerminal,
      messages: isTerminal,
      columns: world.columns ?? 80,
      rows: world.rows ?? 100_000,
    },
    timeZone: world.timeZone ?? 'UTC',
    signal: world.signal ?? new AbortController().signal,
    lendTerminal: () => new DisposableStack(),
    now: () => world.now ?? new Date(),
    random: (size) => crypto.getRandomValues(new Uint8Array(size)),
  };
}

function createInput({ stdin, stdinStaysOpen = false }: World): Readable {
  if (stdinStaysOpen) return new Readable({ read() {} });
  return Readable.from(stdin === undefined ? [] : [Buffer.from(stdin)]);
}

interface Sink extends Writable {
  text(): string;
}

function createSink(told: () => void): Sink {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      told();
      done();
    },
  });
  return Object.assign(sink, { text: () => Buffer.concat(chunks).toString('utf8') });
}
