import { visitStatuses } from '../../../contract/appointment.ts';
import { SalonError } from '../../../contract/errors.ts';
import { renderCount } from '../../../text/numbers.ts';
import { addMonths, startOfDay, startOfMonth, toIsoDay } from '../../../time/local-days.ts';
import { createZoneClock, dayMs } from '../../../time/time.ts';
import { salonFacts } from '../../availability/salon-facts.ts';
import { type PeriodContext, parsePeriod } from '../../flags/periods.ts';
import { type CommandResult, onePage } from '../../output/command-result.ts';
import { readLayout, readStyle } from '../../output/format.ts';
import { printPartialError } from '../../output/print-records.ts';
import { assertReadable } from '../../people/names.ts';
import { resolveClient } from '../../people/resolve.ts';
import { openAppointmentReader } from '../../people/resolve-appointment.ts';
import { assertExists, resolveStylistAndTime } from '../../people/resolve-filters.ts';
import { drawReport } from '../../report/draw-report.ts';
import { createRecordReader, type ReportInput } from '../../report/read-records.ts';
import { type Report, toMachineColumns, toMachineRows } from '../../report/report.ts';
import { groupings, paidStatuses, type ReportQuestion, renderQueries } from '../../report/report-question.ts';
import { renderSpan } from '../../report/time-groups.ts';
import type { CommandContext } from '../../session/command-context.ts';
import type { ReportFlags, ReportName } from './report-flags.ts';

type ReportContext = CommandContext<ReportFlags>;

/** Ten years. */
const maxDays = 3660;

/** Reads what a report needs, and prints it as a table with bars, or its rows in a machine format. */
export async function runReport(
  name: ReportName,
  words: readonly string[],
  context: ReportContext,
): Promise<CommandResult> {
  const { flags } = context;
  const input = { ...(await readQuestion(name, words, context)), ...(await openSource(context)) };
  const report = await createReport(name, input, context);
  if (isEmpty(report)) await assertPeople(input, context);
  const incomplete = input.reader.finish();
  if (incomplete !== undefined)
    return { show: 'nothing', exitCode: await printPartialError(incomplete, context) };
  const fault = input.reader.appointments.fault();
  const ending = fault === undefined ? {} : { exitCode: await printPartialError(fault, context) };
  if ((await readLayout(context)) !== 'table' || flags.columns !== undefined) {
    if (report.warning !== undefined) context.messages.warn(report.warning);
    const pages = onePage(toMachineRows(report));
    return { show: 'records', noun: 'rows', columns: toMachineColumns(report), pages, ...ending };
  }
  return { show: 'pagedText', text: drawReport(report, await readStyle(context)), ...ending };
}

async function createReport(name: ReportName, input: ReportInput, context: ReportContext): Promise<Report> {
  const { flags } = context;
  if (name === 'revenue') return (await import('../../report/revenue.ts')).reportRevenue(input);
  if (name === 'no-shows') {
    // Clients who always came are many, and not what a report of no-shows by client is for.
    const least = flags.minNoShows ?? (input.grouping === 'client' ? 1 : 0);
    return (await import('../../report/no-shows.ts')).reportNoShows(input, least);
  }
  if (name === 'utilisation') {
    return (await import('../../report/utilisation.ts')).reportUtilisation(input, context);
  }
  const { reportRetention } = await import('../../report/retention.ts');
  return reportRetention(input, { withinDays: flags.within ?? 0, isNew: name === 'first-visits' });
}

async function readQuestion(
  name: ReportName,
  words: readonly string[],
  context: ReportContext,
): Promise<ReportQuestion> {
  const { flags, io, messages } = context;
  const timeZone = await context.timeZone();
  const { grouping, words: asked } = readWords(words, flags);
  // Bookings to come are booked time; nothing else of them has happened yet.
  const periodContext = { now: io.now(), timeZone, endsToday: name !== 'utilisation' };
  const parseTime = (period: string) => parsePeriod({ period }, periodContext);
  const { time, stylistIds } = await resolveStylistAndTime(asked, { ...flags, parseTime }, context);
  if (time !== '' && flags.period !== undefined)
    throw new SalonError('usage', 'Pass the period only once: as the argument or with --period.');
  const text = time || flags.period;
  const isOpen = text === undefined && flags.from === undefined && flags.to === undefined;
  const named = isOpen ? chooseDefault(name, flags, periodContext) : text;
  const period = parsePeriod({ ...flags, period: named }, periodContext);
  if (grouping === 'day' && period.to - period.from > maxDays * dayMs) {
    throw new SalonError('usage', `A report by day covers at most ${renderCount(maxDays)} days.`, {
      hint: 'Group by week or month.',
    });
  }
  const question: ReportQuestion = {
    period,
    grouping,
    stylistIds: stylistIds.length === 0 ? undefined : stylistIds,
    clientId: flags.client === undefined ? undefined : (await resolveClient(flags.client, context)).id,
    statuses: flags.status
      ?.split(',')
      .map((status) => status.trim())
      .filter(Boolean),
  };
  if (grouping === 'client' && name !== 'revenue' && name !== 'no-shows')
    throw new SalonError('usage', `The report ${name} cannot be grouped by client.`, {
      hint: 'Group revenue or no-shows by client.',
    });
  if (question.statuses?.length === 0) throw new SalonError('usage', '--status must not be empty.');
  const isOfVisits = name === 'retention' || name === 'first-visits';
  // A client may come back after the period.
  const laterMs = isOfVisits ? (flags.within ?? 0) * dayMs : 0;
  const options = {
    zone: createZoneClock(timeZone),
    ...(name === 'revenue'
      ? { noun: 'payments' as const, usual: paidStatuses }
      : { noun: 'appointments' as const, usual: isOfVisits ? visitStatuses : undefined }),
  };
  for (const span of [period, period.before]) {
    messages.verbose(`${renderSpan(span)} is from these records:`);
    const listed = { ...span, to: span.to + laterMs };
    for (const line of renderQueries(question, listed, options)) messages.verbose(`  ${line}`);
  }
  return question;
}

async function openSource(context: ReportContext): Promise<Omit<ReportInput, keyof ReportQuestion>> {
  const { settings } = await context.session();
  const timeZone = await context.timeZone();
  const client = await context.client();
  const facts = salonFacts(context);
  const [known = [], own] = await Promise.all([facts.stylists(), facts.ownStylist().catch(() => undefined)]);
  if (own !== undefined) {
    context.messages.warn(
      "This API key can only see its own stylist's records. The figures are theirs alone.",
    );
  }
  const names = new Map(known.map(({ id, name }) => [id, name]));
  return {
    reader: createRecordReader(client, context, await openAppointmentReader(context), {
      timeZone,
      ratePerHour: settings.rate?.value,
    }),
    timeZone,
    zone: createZoneClock(timeZone),
    now: context.io.now(),
    names,
    async loadClientNames(ids) {
      const { readClientContacts } = await import('../../people/client-names.ts');
      for (const [id, contact] of await readClientContacts(ids, context, { reportsCost: false }))
        if (contact !== null) names.set(id, contact.name);
    },
  };
}

function isEmpty({ rows, columns }: Report): boolean {
  const counts = columns.filter(({ kind }) => kind === 'count');
  return rows.every(({ values }) => counts.every(({ key }) => Number(values[key] ?? 0) === 0));
}

/**
 * Throws `not_found` for a client or stylist who does not exist: an ID of the contract was not looked up. Throws
 * `permission_denied` if the API key may read no record of the stylists.
 */
async function assertPeople(
  { clientId, stylistIds = [] }: ReportQuestion,
  context: ReportContext,
): Promise<void> {
  const api = await context.client();
  const options = { searchesList: false };
  if (clientId !== undefined) await assertExists(api.clients.get(clientId, options));
  for (const id of stylistIds) await assertExists(api.stylists.get(id, options));
  if (stylistIds.length > 0) await assertReadable(api, stylistIds);
}

/** Last week; for retention the latest month whose clients have all had time to come back. */
function chooseDefault(name: ReportName, flags: ReportFlags, { now, timeZone }: PeriodContext): string {
  if (name === 'first-visits') return 'last-month';
  if (name !== 'retention') return 'last-week';
  const today = startOfDay(createZoneClock(timeZone).wall(now.getTime()));
  const end = startOfMonth(today - (flags.within ?? 0) * dayMs);
  return toIsoDay(addMonths(end, -1)).slice(0, 7);
}

/** The grouping in `last week by stylist`, and the other words. Throws `usage`. */
function readWords(words: readonly string[], { by }: ReportFlags) {
  const all = words.join(' ').trim().split(/\s+/).filter(Boolean);
  const at = all.findIndex((word, index) => word.toLowerCase() === 'by' && index < all.length - 1);
  const isGrouped = at >= 0;
  const wanted = isGrouped ? (all[at + 1] ?? '') : (by ?? 'stylist');
  const grouping = groupings.find((name) => name === wanted.trim().toLowerCase().replace(/s$/, ''));
  if (grouping === undefined) {
    throw new SalonError('usage', `A report cannot be grouped by "${wanted}".`, {
      hint: `Groups: ${groupings.join(', ')}`,
    });
  }
  if (isGrouped && by !== undefined) throw new SalonError('usage', 'Pass the group only once.');
  return { grouping, words: isGrouped ? all.toSpliced(at, 2) : all };
}
