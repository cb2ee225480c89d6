import type { Plan } from '../../bulk/plan/plan-file.ts';
import { isLocalTime, type PlannedRow } from '../../bulk/plan/plan-format.ts';
import {
  createZoneClock,
  dayMs,
  hourMs,
  isTimeZone,
  minuteMs,
  toInstantMs,
  type ZoneClock,
} from '../../time/time.ts';
import type { ConfirmationFlags } from '../flags/options.ts';
import { settingTable } from '../flags/settings.ts';
import { renderMinutes } from '../output/cell.ts';
import type { CommandContext } from '../session/command-context.ts';
import { assertConfirmed } from '../session/confirmation.ts';

interface Start {
  /** Undefined for a new appointment. */
  readonly from: number | undefined;
  readonly to: number;
}

/** The largest difference of two zones. */
const maxShiftMs = 26 * hourMs;

/**
 * Asks about the starts of a plan that come from local times: where the salon's clock has other rules, and where all would
 * move by one amount, as in a sheet that was written in one zone and is read in another. A dry run says it only. Throws
 * `confirmation_required`.
 */
export async function confirmLocalStarts(
  plan: Plan,
  context: CommandContext<ConfirmationFlags & { readonly dryRun?: boolean }>,
): Promise<void> {
  const { head, counts } = plan;
  if (counts.create + counts.update === 0) return;
  const { flags, messages, prompts, localTimes } = context;
  const timeZone = await context.timeZone();
  const { starts, isOneKept } = await readStarts(plan, createZoneClock(timeZone));
  const fact = isOneKept || head.source.isCondition ? undefined : await describeShift(starts, context);
  if (fact !== undefined && (flags.yes || flags.dryRun)) messages.warn(fact);
  else if (fact !== undefined) await assertConfirmed(`${fact} Move them?`, flags, prompts);
  for (const { to } of starts) localTimes.note(to);
  await localTimes.confirm(starts.map(({ to }) => new Date(to).toISOString()));
}

async function readStarts({ head, rows }: Plan, { wall }: ZoneClock) {
  const starts: Start[] = [];
  let isOneKept = false;
  // A selection moves by whole days, at the same local time.
  const isLocal = ({ cells }: PlannedRow, { from, to }: Start) =>
    head.source.isCondition
      ? from !== undefined && (wall(to) - wall(from)) % dayMs === 0
      : isLocalTime(cells?.['start_time']);
  for await (const row of rows()) {
    const { act, before, change, cells, keepsStart = false } = row;
    const [from, to] = [before, change].map((record) => toInstantMs(record?.['start_time']));
    const isKept = act === 'update' && to === undefined && isLocalTime(cells?.['start_time']);
    isOneKept ||= keepsStart || isKept;
    if (to !== undefined && act !== 'refused' && isLocal(row, { from, to })) starts.push({ from, to });
  }
  return { starts, isOneKept };
}

/** Says it, where all starts move by one amount that two zones may differ by; undefined otherwise. */
async function describeShift(
  starts: readonly Start[],
  { io, session, timeZone }: CommandContext,
): Promise<string | undefined> {
  const [first] = starts;
  const shiftMs = first?.from === undefined ? 0 : first.to - first.from;
  if (shiftMs === 0 || Math.abs(shiftMs) > maxShiftMs || shiftMs % (15 * minuteMs) !== 0) return undefined;
  if (starts.some(({ from, to }) => to - (from ?? to) !== shiftMs)) return undefined;
  const zone = await timeZone();
  const { settings, profile } = await session();
  const { wall } = createZoneClock(zone);
  const others = [
    { name: profile?.salon?.time_zone, whose: "the salon's" },
    { name: io.timeZone, whose: "this machine's" },
    { name: 'UTC', whose: 'that of exports for programs' },
  ].filter(({ name }) => name !== zone);
  const fitting = others.find(({ name = '' }) => {
    if (!isTimeZone(name)) return false;
    const written = createZoneClock(name).wall;
    return starts.every(({ from = 0, to }) => written(from) === wall(to));
  });
  // One appointment is moved by an hour every day.
  if (starts.length === 1 && fitting === undefined) return undefined;
  const { source, variable } = settings.timeZone;
  const which = source === 'default' ? '' : ` (from ${variable ?? `the ${source}`})`;
  const amount = `${renderMinutes(Math.abs(shiftMs) / minuteMs)} ${shiftMs < 0 ? 'earlier' : 'later'}`;
  const count = starts.length === 1 ? 'The only local start' : `All ${starts.length} local starts`;
  const fact = `${count} would be ${amount}, read in ${zone}${which}: the file looks written in another time zone`;
  const setting = settingTable.timeZone.variable;
  if (fitting === undefined) return `${fact}. To read it in that one, set ${setting}.`;
  const { name, whose } = fitting;
  return `${fact}, such as ${name} (${whose}). To read it in that one: ${setting}=${name}.`;
}
