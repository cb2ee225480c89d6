import { SalonError } from '../../contract/errors.ts';
import { tryParseJson } from '../../text/json.ts';
import { countOf } from '../../text/numbers.ts';
import {
  type ClockDifference,
  type ClockRules,
  findClockDifferences,
  parseClockRules,
} from '../../time/clock-rules.ts';
import { renderLongDay, toClockText } from '../../time/local-days.ts';
import { parseInstant, toUtcText } from '../../time/time.ts';
import { toOffsetText } from '../flags/moments.ts';
import type { ConfirmationFlags } from '../flags/options.ts';
import type { Io } from '../io.ts';
import type { Messages } from '../messages/messages.ts';
import type { Prompts } from '../messages/prompts.ts';
import { assertConfirmed } from './confirmation.ts';
import type { KnownSalon } from './profile.ts';

interface LocalTimesSources {
  readonly noted: Set<number>;
  readonly io: Pick<Io, 'tzVersion'>;
  readonly flags: ConfirmationFlags & { readonly dryRun?: boolean };
  readonly messages: Messages;
  readonly prompts: Prompts;
  readonly timeZone: () => Promise<string>;
  readonly readSalon: () => Promise<KnownSalon | undefined>;
}

export async function confirmLocalTimes(record: object, sources: LocalTimesSources): Promise<void> {
  const { noted, io, flags, messages, prompts } = sources;
  const values = Object.values(record).map((value) => parseInstant(String(value))?.ms ?? Number.NaN);
  const instants = new Set(values.filter((ms) => noted.has(ms)));
  if (instants.size === 0) return;
  const [timeZone, salon] = [await sources.timeZone(), await sources.readSalon()];
  // Another zone is used on purpose.
  if (salon?.clock === undefined || salon.time_zone?.toLowerCase() !== timeZone.toLowerCase()) return;
  const rules = parseClockRules(tryParseJson(salon.clock));
  if (rules === undefined || rules.offsets.length === 0) {
    const why = rules === undefined ? 'sends rules that no clock can follow' : 'does not know this zone';
    messages.warn(`Times in ${timeZone} are read by the clock rules here alone: the server ${why}.`);
    return noted.clear();
  }
  const [first, ...others] = findClockDifferences(timeZone, rules, instants);
  if (first !== undefined) {
    const more = others.length === 0 ? '' : ` The same goes for ${countOf(others.length, 'more times')}.`;
    const fact =
      describeDifference(first, { timeZone, own: { tz_version: io.tzVersion ?? null }, theirs: rules }) +
      more;
    await ask(first, fact);
  }
  for (const ms of instants) noted.delete(ms);

  async function ask({ wallMs, ownMs, theirMs }: ClockDifference, fact: string): Promise<void> {
    if (flags.yes === true || flags.dryRun === true) return messages.warn(fact);
    const own = toShortUtc(ownMs);
    if (prompts.isInteractive) return assertConfirmed(`${fact} Send ${own}?`, flags, prompts);
    const meanings = [theirMs, ownMs].map((ms) => toOffsetText(ms, wallMs)).join(' or ');
    throw new SalonError('confirmation_required', `${fact} Nothing was changed.`, {
      hint: `Say which you mean: write ${meanings}. To send ${own}, add --yes.`,
    });
  }
}

/** One local time, what it is here, and what it is on the server. */
export function describeDifference(
  { wallMs, ownMs, theirMs }: ClockDifference,
  { timeZone, own, theirs }: { timeZone: string; own: Versioned; theirs: Versioned },
): string {
  const when = `${renderLongDay(wallMs)} ${toClockText(wallMs)} in ${timeZone}`;
  return `${when} is ${toShortUtc(ownMs)} by the clock rules here (${renderTz(own)}), but ${toShortUtc(theirMs)} by those of the server (${renderTz(theirs)}).`;
}

type Versioned = Pick<ClockRules, 'tz_version'>;

/** `tz 2026c` */
export function renderTz({ tz_version: version }: Versioned): string {
  return version === null ? 'tz of an unknown version' : `tz ${version}`;
}

/** `2026-12-01T15:00Z` */
function toShortUtc(instantMs: number): string {
  return toUtcText(instantMs).replace(':00Z', 'Z');
}
