import type { Command } from 'commander';
import { readRows, readWhole } from '../../../client/pagination/paginate.ts';
import type { BlockedTime, NewBlockedTime } from '../../../contract/blocked-time.ts';
import { SalonError } from '../../../contract/errors.ts';
import { renderLongDay, startOfDay, toClockText } from '../../../time/local-days.ts';
import { createZoneClock, dayMs, minuteMs, type TimeSpan, toUtcText } from '../../../time/time.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import type { BlockedWords } from '../../booking/blocked-words.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { confirmationFlags, confirmFlag, printFlags, writeFlags } from '../../flags/options.ts';
import { toSalonError } from '../../messages/errors.ts';
import { nouns } from '../../nouns/nouns.ts';
import { type CommandResult, onePage, toWriteResult } from '../../output/command-result.ts';
import { readClock } from '../../output/format.ts';
import type { NamedPerson } from '../../people/resolve.ts';
import type { CommandContext } from '../../session/command-context.ts';

const blockFlags = {
  note: { flag: '--note <text>', help: 'For those who manage the calendar, and the stylist' },
  dryRun: { ...writeFlags.dryRun, help: 'Check and show what would be blocked; change nothing' },
  ...confirmFlag,
  ...printFlags,
} as const satisfies FlagTable;

export function registerBlock(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    args: { '<words...>': 'stylist, day and time, reason' },
    flags: blockFlags,
    examples: {
      'salon block Mia tomorrow 12-13 lunch': 'Keep an hour free',
      'salon block Mia 24 dec to 2 jan holiday': 'Block whole days, the last one included',
      'salon block Mia today sick': 'She is ill: show whom to call',
    },
    undo: 'salon unblock',
    handler: async () => (context, words: readonly string[]) => blockTime(context, words, 'other'),
  });
}

export function registerClose(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    args: { '<when...>': 'day or days, or a day and times' },
    flags: blockFlags,
    examples: {
      'salon close 25 dec': 'Close the whole salon for a day',
      'salon close fri 15:00-18:00 training': 'Close it for some hours',
    },
    undo: 'salon unblock',
    handler: async () => (context, words: readonly string[]) => blockTime(context, words, 'closed'),
  });
}

export function registerUnblock(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    args: { '<words...>': 'stylist, and day or time; a day alone for the salon; or an ID' },
    flags: { ...confirmationFlags, ...printFlags },
    examples: {
      'salon unblock Mia tomorrow': 'Remove what blocks her time tomorrow',
      'salon unblock 25 dec': 'Open the salon again',
    },
    handler: async () => unblockTime,
  });
}

export function registerBlocks(parent: Command, runner: ActionRunner): void {
  runner.define(parent.command('list'), {
    description: 'List when stylists are away and the salon is closed',
    args: { '[words...]': 'stylist, day or days (default: everybody, from today on)' },
    flags: printFlags,
    examples: {
      'salon blocks list': 'Everything from today on',
      'salon blocks list Mia 24 dec to 2 jan': 'Only what concerns Mia then',
    },
    handler: async () => listBlocks,
  });
}

async function blockTime(
  context: CommandContext<FlagValues<typeof blockFlags>>,
  words: readonly string[],
  usual: 'closed' | 'other',
): Promise<CommandResult> {
  const { flags } = context;
  const { span, reason = usual, moments, readWho } = await readWords(context, words);
  if (span === undefined) {
    throw new SalonError('usage', `"${words.join(' ')}" does not say when, or more than that and why.`, {
      hint: 'For example tomorrow, 24 dec to 2 jan holiday, or fri 12-13. For other words: --note',
    });
  }
  const who = await readWho();
  if ((who === undefined) !== (usual === 'closed')) {
    throw new SalonError(
      'usage',
      who === undefined ? 'Whose time?' : `Closing is for the whole salon, not for ${who.name}.`,
      { hint: 'For one stylist: salon block Mia tomorrow. For everybody: salon close tomorrow.' },
    );
  }
  const body = {
    stylist_id: who?.id ?? null,
    start_time: toUtcText(span.startMs),
    end_time: toUtcText(span.endMs),
    reason,
    ...(flags.note === undefined ? {} : { note: flags.note }),
  };
  const taken = await findBlocks(context, { span, who });
  const same = taken.find((one) => toKey(one) === toKey(body));
  if (same !== undefined) {
    const when = describeSpan(span, moments.timeZone);
    const fact = `${who?.name ?? 'The salon'} is blocked already ${when} (${same.reason}).`;
    throw new SalonError('conflict', fact, { hint: `To take it back: salon unblock ${same.id}` });
  }
  const subject = who === undefined ? 'The salon is closed' : `${who.name} cannot be booked`;
  const why = reason === 'closed' ? '' : ` (${reason})`;
  const said = `${describeSpan(span, moments.timeZone)}${why}.`;
  await context.localTimes.confirm(body);
  if (flags.dryRun === true) {
    const verdict = await context.checkDryRun(({ blockedTimes }) => blockedTimes.create(body));
    const lines = [`Would block ${said}`, ...(await findAffected(span)), verdict];
    return { show: 'record', record: body, message: lines.join('\n') };
  }
  const written = await (await context.client()).blockedTimes.create(body);
  const { record } = written;
  if (record === undefined)
    return toWriteResult(written, { done: 'Blocked', columns: nouns.blockedTimes.columns });
  const affected = record.affected_count === 0 ? [] : await findAffected(span);
  const lines = [`${subject} ${said}`, ...affected];
  return { show: 'record', record: { ...record }, message: lines.join('\n') };

  function findAffected(blocked: TimeSpan): Promise<readonly string[]> {
    return describeAffected(context, blocked, who).catch((thrown: unknown) => {
      context.messages.warn(`Whom it affects is not known. ${toSalonError(thrown, undefined).message}`);
      return ['To see whom to call: salon call-list'];
    });
  }
}

/** Whom to call, by time, and how to go on. */
async function describeAffected(context: CommandContext, span: TimeSpan, who?: NamedPerson) {
  const [{ readStatus }, { readBusyVisits }, { renderAffected, renderNextCommands }] = await Promise.all([
    import('../../../client/appointment-status.ts'),
    import('../../availability/salon-facts.ts'),
    import('../../booking/affected-visits.ts'),
  ]);
  const stylistIds = who && [who.id];
  // The longest appointment may have started a day before.
  const visits = await readBusyVisits(context, { ...span, startMs: span.startMs - dayMs, stylistIds });
  // To the minute, as the commands write it.
  const nowMs = Math.floor(context.io.now().getTime() / minuteMs) * minuteMs;
  const left = { startMs: Math.max(span.startMs, nowMs), endMs: span.endMs };
  // The service also counts those that are over.
  const all = visits
    .filter(({ endMs, status }) => endMs > left.startMs && readStatus(status) !== 'completed')
    .toSorted((a, b) => a.startMs - b.startMs);
  if (all.length === 0) return [];
  return [
    ...(await renderAffected(all, 'in this time', context)),
    ...(await renderNextCommands(left, who, context)),
  ];
}

const unblockTime: Handler = async (context, words) => {
  const client = await context.client();
  const found =
    words.length === 1 && words[0]?.startsWith('blk_') === true
      ? [await client.blockedTimes.get(words[0])]
      : await findBlocks(context, await readMeant(context, words));
  const timeZone = await context.timeZone();
  const describe = ({ start_time: start, end_time: end, reason }: BlockedTime) =>
    `${describeSpan({ startMs: Date.parse(start), endMs: Date.parse(end) }, timeZone)} (${reason})`;
  const [block] = found;
  if (block === undefined) {
    throw new SalonError('not_found', `Nothing is blocked for "${words.join(' ')}".`, {
      hint: 'To see what is: salon blocks list',
    });
  }
  if (new Set(found.map((one) => `${toKey(one)} ${one.reason} ${one.note}`)).size > 1) {
    const listed = found.map((one) => `\n  ${one.id}  ${describe(one)}`).join('');
    throw new SalonError('usage', `${found.length} blocked times match "${words.join(' ')}":${listed}`, {
      hint: `Name one, e.g. salon unblock ${block.id}`,
    });
  }
  await context.confirm(`Unblock ${describe(block)}?`);
  for (const { id } of found) await client.blockedTimes.delete(id);
  const copies = `It was blocked ${found.length} times: ${found.map(({ id }) => id).join(', ')}.`;
  const message = `Unblocked ${describe(block)}.${found.length > 1 ? ` ${copies}` : ''}`;
  const freed = found.map(({ start_time, end_time, stylist_id: stylistId }) => ({
    ...{ startMs: Date.parse(start_time), endMs: Date.parse(end_time), stylistId },
  }));
  const { withWaiting } = await import('../../booking/waiting.ts');
  return withWaiting({ show: 'record', record: { ...block }, message }, freed, context);
};

/** Whose time is blocked from when to when. */
function toKey({ stylist_id, start_time, end_time }: Omit<NewBlockedTime, 'reason'>): string {
  return [stylist_id, Date.parse(start_time), Date.parse(end_time)].join(' ');
}

const listBlocks: Handler = async (context, words) => {
  const found = await findBlocks(context, await readMeant(context, words), { withSalon: true });
  const { salonFacts } = await import('../../availability/salon-facts.ts');
  const names = new Map((await salonFacts(context).stylists())?.map(({ id, name }) => [id, name]));
  const rows = found.map(({ start_time, end_time, stylist_id, reason, note, id }) => {
    const stylist_name = stylist_id === null ? 'everybody' : (names.get(stylist_id) ?? stylist_id);
    return { start_time, end_time, stylist_name, reason, note, stylist_id, id };
  });
  return {
    show: 'records',
    noun: nouns.blockedTimes.many,
    columns: nouns.blockedTimes.columns,
    pages: onePage(rows),
  };
};

interface Meant extends Partial<Pick<BlockedWords, 'span' | 'reason'>> {
  /** Undefined for the whole salon. */
  readonly who: NamedPerson | undefined;
}

/** Blocked times by start: those of a stylist or of the salon; `withSalon`, of everybody or of both. */
async function findBlocks(
  context: CommandContext,
  { span, reason, who }: Meant,
  { withSalon = false } = {},
): Promise<readonly BlockedTime[]> {
  const zone = createZoneClock(await context.timeZone());
  const startMs = span?.startMs ?? zone.earliest(startOfDay(zone.wall(context.io.now().getTime())));
  const client = await context.client();
  const query = {
    from: toUtcText(startMs),
    ...(span === undefined ? {} : { to: toUtcText(span.endMs) }),
    sort: 'start_time',
  } as const;
  const blocks = await readRows(readWhole(client.blockedTimes.list(query), 'blocked times'));
  const isMeant = ({ stylist_id: id }: BlockedTime) =>
    who === undefined ? withSalon || id === null : id === who.id || (withSalon && id === null);
  return blocks.filter((block) => isMeant(block) && (reason === undefined || block.reason === reason));
}

async function readMeant(context: CommandContext, words: readonly string[]): Promise<Meant> {
  const { readWho, ...meant } = await readWords(context, words);
  return { ...meant, who: await readWho() };
}

async function readWords(context: CommandContext, words: readonly string[]) {
  const [{ parseBlockedWords }, { resolveStylist }] = await Promise.all([
    import('../../booking/blocked-words.ts'),
    import('../../people/resolve.ts'),
  ]);
  const moments = await readClock(context);
  const { stylist, ...parsed } = parseBlockedWords(words, moments);
  const readWho = async () =>
    stylist === '' ? undefined : resolveStylist(stylist, context, { isWrite: true });
  return { ...parsed, moments, readWho };
}

/** `on Tuesday 24 November 2026 12:00–13:00`, or `from … to …` with the last day included. */
export function describeSpan({ startMs, endMs }: TimeSpan, timeZone: string): string {
  const { wall } = createZoneClock(timeZone);
  const [start, end] = [wall(startMs), wall(endMs)];
  const isWholeDays = start % dayMs === 0 && end % dayMs === 0;
  const last = isWholeDays ? end - dayMs : end;
  const write = (ms: number) => (isWholeDays ? renderLongDay(ms) : `${renderLongDay(ms)} ${toClockText(ms)}`);
  if (startOfDay(start) !== startOfDay(last)) return `from ${write(start)} to ${write(last)}`;
  return isWholeDays ? `on ${write(start)}` : `on ${write(start)}–${toClockText(end)}`;
}
