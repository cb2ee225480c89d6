import { isTimeZone } from '../../../time/time.ts';
import { parseWeekHours, renderDayHours, type WeekHours } from '../../../time/week-hours.ts';
import { toSalonError } from '../../messages/errors.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { readSalonSetting } from '../../session/resolve-settings.ts';

interface SettingChange {
  readonly setting: string;
  readonly old: string | null;
  readonly value: string | null;
  /** The time zone of the salon before the change. */
  readonly zone: string | null;
}

/** Settings of which a change may concern appointments that are booked. */
export const reviewedSettings: readonly string[] = ['opening_hours', 'time_zone'];

/** The text of a setting; null for one that is not set. */
export function readSalonText(record: object, setting: string): string | null {
  const [, value] = Object.entries(record).find(([name]) => name === setting) ?? [];
  return typeof value === 'string' ? value : null;
}

/**
 * What a change means for people, and the question whether to make it. Undefined if it takes no time from anybody and
 * moves no appointment on the clock.
 */
export async function reviewChange(change: SettingChange, context: CommandContext) {
  const { setting, old, value } = change;
  if (old === value || !reviewedSettings.includes(setting)) return undefined;
  const affected = await describeVisits(change, context).catch((thrown: unknown) => {
    const { code, message } = toSalonError(thrown, undefined);
    // The command starts again with the settings that the salon has now.
    if (code === 'salon_settings_changed') throw thrown;
    context.messages.warn(`Whom it affects is not known. ${message}`);
  });
  const isZone = setting === 'time_zone';
  if (affected?.length === 0 && (isZone || old === null)) return undefined;
  const comparison = isZone
    ? [`Time zone: ${old ?? 'not set'} → ${value ?? 'not set'}`]
    : await compareHours(old, value);
  const question = isZone ? 'Set this time zone?' : 'Set these opening hours?';
  return {
    // What is asked about stays on the screen.
    lines: [...(affected ?? []), ...comparison],
    question: value === null ? `Clear the ${setting.replace('_', ' ')}?` : question,
  };
}

async function describeVisits({ setting, old, value, zone }: SettingChange, context: CommandContext) {
  const { describeNewlyClosed, describeNewTimes } = await import('../../booking/affected-visits.ts');
  if (value === null || (setting === 'time_zone' && ![value, old ?? value].every(isTimeZone))) return [];
  const salon = zone === null ? undefined : { time_zone: zone };
  const timeZone = readSalonSetting('timeZone', salon) ?? (await context.timeZone());
  if (setting === 'time_zone') return describeNewTimes({ former: timeZone, timeZone: value }, context);
  const [week = [], former] = [parseWeekHours(value), parseWeekHours(old ?? '')];
  return describeNewlyClosed({ week, former, timeZone }, context);
}

/** A line for each weekday with its old and new hours. */
async function compareHours(...texts: readonly (string | null)[]): Promise<readonly string[]> {
  const { alignTexts } = await import('../../output/table-layout.ts');
  const columns = texts.map((text) => toDays(parseWeekHours(text ?? ''), text ?? 'not set'));
  const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  const rows = names.map((name, day) => [name, ...columns.map((days) => days[day] ?? '')]);
  return alignTexts([['', 'now', 'new'], ...rows]).map((line) => `  ${line}`);
}

function toDays(week: WeekHours | undefined, text: string): readonly string[] {
  if (week === undefined) return Array.from({ length: 7 }, () => text);
  return [1, 2, 3, 4, 5, 6, 0].map((day) => renderDayHours(week[day] ?? []) || 'closed');
}
