import { SalonError } from '../../contract/errors.ts';
import { write } from '../io.ts';
import { toExitCode } from '../messages/exit-codes.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { Feed, FeedEntry } from './command-result.ts';

/**
 * Prints what happens: lines for people, NDJSON for programs, or a list that is JSON once it has ended. Answers the exit
 * code of the interrupt that ended it.
 */
export async function printFeed({ entries }: Feed, context: CommandContext): Promise<number> {
  const { stdout, signal } = context.io;
  const { print, end } = layouts[await readFeedLayout(context)];
  let count = 0;
  for await (const entry of entries) {
    await write(stdout, print(entry, count));
    count += 1;
  }
  await write(stdout, end(count));
  return toExitCode(new SalonError('interrupted', 'Interrupted.', { members: { signal: signal.reason } }));
}

interface FeedLayout {
  /** `before` says how many there were before this one. */
  print(entry: FeedEntry, before: number): string;
  end(count: number): string;
}

const layouts = {
  table: { print: ({ line }) => `${line}\n`, end: () => '' },
  ndjson: { print: ({ record }) => `${JSON.stringify(record)}\n`, end: () => '' },
  json: {
    print: ({ record }, before) => `${before === 0 ? '[' : ','}\n  ${JSON.stringify(record)}`,
    end: (count) => (count === 0 ? '[]\n' : '\n]\n'),
  },
} as const satisfies Readonly<Record<string, FeedLayout>>;

/** How what happens is printed; a profile that likes CSV gets what the others get. Throws `usage` for that as a flag. */
export async function readFeedLayout({ io, session }: CommandContext): Promise<keyof typeof layouts> {
  const { format } = (await session()).settings;
  if (format?.source !== 'flag') return io.terminal.output ? 'table' : 'ndjson';
  if (format.value !== 'csv') return format.value;
  throw new SalonError('usage', 'What happens has no columns, so it cannot be printed as csv.', {
    hint: 'Use --format ndjson, a record a line, or --format table for lines to read.',
  });
}
