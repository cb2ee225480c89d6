import { SalonError } from '../../../contract/errors.ts';
import { createZoneClock } from '../../../contract/time.ts';
import type { CommandResult } from '../../output/command-result.ts';
import { onePage } from '../../output/command-result.ts';
import { readLayout, readStyle } from '../../output/format.ts';
import { printPartialError } from '../../output/print-records.ts';
import { pickStylists, readStylistNames } from '../../people/names.ts';
import { drawReport } from '../../report/draw-report.ts';
import { type Grouping, groupings } from '../../report/groups.ts';
import { parsePeriod } from '../../report/period.ts';
import type { ReportQuestion } from '../../report/question.ts';
import { createRecordReader } from '../../report/read-records.ts';
import { type Report, toMachineColumns, toMachineRows } from '../../report/report.ts';
import type { ReportSource } from '../../report/revenue.ts';
import { renderReportText } from '../../report/sentences.ts';
import type { CommandContext } from '../../session/command-context.ts';
import type { ReportFlags } from './report.ts';

export interface ReportKind {
  readonly endsToday: boolean;
  /** Without one on the command line. */
  readonly period: string;
  report(question: ReportQuestion, source: ReportSource): Promise<Report>;
}

export async function runReport(
  context: CommandContext<ReportFlags>,
  words: readonly string[],
  kind: ReportKind,
): Promise<CommandResult> {
  const { flags, io, messages } = context;
  const { settings } = await context.session();
  const timeZone = settings.timeZone.value;
  const { period: periodText, grouping } = readWords(words, flags);
  const now = io.now();
  const named = periodText ?? (flags.from === undefined && flags.to === undefined ? kind.period : undefined);
  const period = parsePeriod({ ...flags, period: named }, { now, timeZone, endsToday: kind.endsToday });
  const client = await context.client();
  const known = await readStylistNames(client, messages.verbose);
  const reader = createRecordReader(client, context, { timeZone, ratePerHour: settings.ratePerHour?.value });
  const question: ReportQuestion = {
    period,
    grouping,
    stylists: flags.stylist === undefined ? undefined : pickStylists(flags.stylist, known),
    client: flags.client === undefined ? undefined : { id: flags.client, name: flags.client },
    statuses: flags.status?.split(','),
  };
  const stylistNames = new Map((known ?? []).map(({ id, name }) => [id, name]));
  const zone = createZoneClock(timeZone);
  const report = await kind.report(question, { reader, timeZone, zone, now, stylistNames });
  const doubt = reader.finish();
  if (doubt !== undefined) return { show: 'nothing', exitCode: await printPartialError(doubt, context) };
  if ((await readLayout(context)) !== 'table' || flags.columns !== undefined) {
    const pages = onePage(toMachineRows(report));
    return { show: 'records', noun: 'rows', columns: toMachineColumns(report), pages };
  }
  const { color, plain } = await readStyle(context);
  const text = plain ? renderReportText(report) : drawReport(report, { color, width: io.terminal.columns });
  return { show: 'pagedText', text };
}

/** `last week by stylist` as a period and a grouping. Throws `usage`. */
function readWords(words: readonly string[], { by, period }: ReportFlags) {
  const all = words.join(' ').trim().split(/\s+/).filter(Boolean);
  const isGrouped = all.at(-2)?.toLowerCase() === 'by';
  const wanted = isGrouped ? (all.at(-1) ?? '') : (by ?? 'stylist');
  const rest = (isGrouped ? all.slice(0, -2) : all).join(' ');
  const grouping = groupings.find((name) => name === wanted.toLowerCase().replace(/s$/, ''));
  if (grouping === undefined) {
    throw new SalonError('usage', `Reports cannot be grouped by "${wanted}".`, {
      hint: `Groups: ${groupings.join(', ')}`,
    });
  }
  if (isGrouped && by !== undefined) throw new SalonError('usage', 'Pass the grouping only once.');
  if (rest !== '' && period !== undefined) {
    throw new SalonError('usage', 'Pass the period only once: as the argument or with --period.');
  }
  return { grouping: grouping as Grouping, period: rest === '' ? period : rest };
}
