import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { parseRange } from '../../flags/moments.ts';
import { filterFlags, printFlags } from '../../flags/options.ts';
import { parseList } from '../../flags/values.ts';
import { readClock, readLayout } from '../../output/format.ts';
import { describeSpan } from '../blocks/blocks.ts';

const callListFlags = {
  ...filterFlags,
  service: { flag: '--service <name>', help: 'Filter by service' },
  status: {
    flag: '--status <a,b>',
    help: 'Filter by status; default: not over yet',
    complete: 'statuses',
  },
  job: { flag: '--job <id>', help: 'Only those that a bulk edit changed, from today on' },
  id: { flag: '--id <a,b>', help: 'Only the appointments with these IDs', parse: parseList },
  from: { flag: '--from <when>', help: 'Not over by then, e.g. today, mon, 24/11/2026' },
  to: { flag: '--to <when>', help: 'Starting before; a date includes the whole day' },
  ...printFlags,
} as const satisfies FlagTable;

export function registerCallList(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    args: {
      '[words...]': {
        help: 'day, days or time, with a stylist before it (default: from now on)',
        complete: 'stylists after with',
      },
    },
    flags: callListFlags,
    extensions: ['.html'],
    examples: {
      'salon call-list tomorrow': 'Whom to remind of tomorrow',
      'salon call-list Mia 24 dec to 2 jan': 'Whose visits a block of that time affects',
      'salon call-list 25 dec -o calls.html': 'A page to print, with boxes to tick; also .xlsx, .csv',
    },
    handler: async () => listCalls,
  });
}

const listCalls: Handler<FlagValues<typeof callListFlags>> = async (context, words) => {
  const { flags, messages } = context;
  const [{ parseBlockedWords }, { resolvePeople }, { findPageFile, writePage }, calling] = await Promise.all([
    import('../../booking/blocked-words.ts'),
    import('../../people/resolve-filters.ts'),
    import('../../output/printed-page.ts'),
    import('../../calendar/call-list.ts'),
  ]);
  const clock = await readClock(context);
  const file = await findPageFile(context);
  const { stylist: named, span } = parseBlockedWords(words, clock);
  const isTwice = named !== '' && flags.stylist !== undefined;
  if (isTwice || (span !== undefined && (flags.from ?? flags.to) !== undefined)) {
    throw new SalonError(
      'usage',
      `Pass the ${isTwice ? 'stylist' : 'time'} only once: in words or as a flag.`,
    );
  }
  const ofJob = flags.job === undefined ? undefined : await calling.readJobRows(flags.job, context);
  // What a job has cancelled may have begun by now.
  const { from = ofJob === undefined ? 'now' : 'today' } = flags;
  const range = parseRange({ from, to: flags.to }, clock);
  const { startMs, endMs } = span ?? {
    startMs: Date.parse(range.from ?? ''),
    endMs: range.to === undefined ? Infinity : Date.parse(range.to),
  };
  const { service, status, stylist = named || undefined } = flags;
  const people = await resolvePeople({ ...context, flags: { ...flags, ...(stylist && { stylist }) } });
  const ids = flags.id === undefined ? undefined : new Set(flags.id);
  const forPeople = file !== undefined || (await readLayout(context)) === 'table';
  const calls = { people, startMs, endMs, service, status, forPeople, ofJob, ids };
  const list = await calling.readCalls(calls, context);
  if (file === undefined) {
    if (list.rows.length > 0) messages.info(list.total);
    return list;
  }
  const title = span === undefined ? 'Calls' : `Calls for visits ${describeSpan(span, clock.timeZone)}`;
  await writePage(file, calling.renderCalls(list, title, clock), context);
  return { show: 'nothing', message: `${list.total}\nWritten to ${file}`, exitCode: list.exitCode };
};
