import { SalonError } from '../../contract/errors.ts';
import type { Call } from '../call.ts';
import { toExitCode } from '../exit-codes.ts';
import { write } from '../io.ts';
import type { Feed } from './outcome.ts';

/** Prints what happens: lines for people, NDJSON for programs. Answers the exit code of the interrupt that ended it. */
export async function printFeed({ entries }: Feed, call: Call): Promise<number> {
  const { io } = call;
  const isForPeople = await readIsForPeople(call);
  for await (const { line, record } of entries) {
    await write(io.stdout, isForPeople ? `${line}\n` : `${JSON.stringify(record)}\n`);
  }
  const members = { signal: io.signal.reason };
  return toExitCode(new SalonError('interrupted', 'Interrupted.', { members }));
}

/** Throws `usage` for a format that has an end, asked for where nothing ends. */
export async function readIsForPeople({ io, session }: Call): Promise<boolean> {
  const { format } = (await session()).settings;
  if (format?.source !== 'flag') return io.terminal.output;
  if (format.value === 'table') return true;
  if (format.value === 'ndjson') return false;
  throw new SalonError('usage', `What does not end cannot be printed as ${format.value}.`, {
    hint: 'Use --format ndjson, a record a line, or --format table for lines to read.',
  });
}
