import { SalonError } from '../../contract/errors.ts';
import { renderJson } from '../../text/json.ts';
import { write } from '../io.ts';
import { toExitCode } from '../messages/exit-codes.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { Feed, FeedEntry } from './command-result.ts';

/** Prints events until the command is interrupted: as lines, NDJSON or one JSON list. Returns the exit code. */
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

const layouts = {
  table: { print: ({ line }: FeedEntry) => `${line}\n`, end: () => '' },
  ndjson: { print: ({ record }: FeedEntry) => `${renderJson(record)}\n`, end: () => '' },
  json: {
    print: ({ record }: FeedEntry, index: number) => `${index === 0 ? '[' : ','}\n  ${renderJson(record)}`,
    end: (count: number) => (count === 0 ? '[]\n' : '\n]\n'),
  },
};

/** The format of events. CSV and XLSX are refused as a flag (`usage`) and ignored as a profile setting. */
export async function readFeedLayout({ io, session }: CommandContext): Promise<keyof typeof layouts> {
  const { format } = (await session()).settings;
  if (format?.source !== 'flag') return io.terminal.output ? 'table' : 'ndjson';
  const { value } = format;
  if (value !== 'csv' && value !== 'xlsx') return value;
  throw new SalonError('usage', `Events cannot be printed as ${value.toUpperCase()}.`, {
    hint: 'Use --format ndjson for programs or --format table for people.',
  });
}
