import type { Machine, RunOptions, RunResult } from './io.ts';

/** `salon webhooks listen`, while it runs. */
export interface TestListener extends AsyncDisposable {
  /** Where it listens. */
  readonly url: string;
  /** Resolves once the output so far matches; rejects if the listener ends first. */
  until(fits: (written: Written) => boolean): Promise<void>;
  /** The records it has printed so far. */
  records(): Readonly<Record<string, unknown>>[];
  /** Stops it with Ctrl-C. */
  stop(): Promise<RunResult>;
  readonly ended: Promise<RunResult>;
}

interface Written {
  readonly stdout: string;
  readonly stderr: string;
  /** Lines of standard output. */
  readonly count: number;
}

export async function startListener(
  machine: Machine,
  flags: string,
  world: RunOptions = {},
): Promise<TestListener> {
  const controller = new AbortController();
  const waiting = new Set<() => void>();
  let written: Written = { stdout: '', stderr: '', count: 0 };
  const argv = ['webhooks', 'listen', ...flags.split(' ').filter((word) => word !== '')];
  const ended = machine.salon(argv, {
    ...world,
    signal: controller.signal,
    watch({ stdout, stderr }) {
      written = { stdout, stderr, count: stdout.split('\n').length - 1 };
      for (const look of waiting) look();
    },
  });
  const until = (fits: (written: Written) => boolean) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!fits(written)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      void ended.then((ran) => reject(new Error(`it ended: ${JSON.stringify(ran)}`)));
    });
  const stop = () => {
    controller.abort('SIGINT');
    return ended;
  };
  await until(({ stderr }) => /Listening on \S+/.test(stderr));
  return {
    url: /Listening on (\S+)/.exec(written.stderr)?.[1] ?? '',
    until,
    records: () => written.stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])),
    stop,
    ended,
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}
