import { createZoneClock, dayMs, minuteMs, parseInstant, toUtcText } from './time.ts';

/** What one side takes a zone's local times for: its offsets from UTC, from the first change up to `until`. */
export interface ClockRules {
  /** Version of the time zone database, such as `2026c`; null where that is unknown. */
  readonly tz_version: string | null;
  readonly until: string;
  /** Empty where the zone is unknown. */
  readonly offsets: { readonly from: string; readonly offset_minutes: number }[];
}

const listedDays = 800;
/** No rules change an offset and back within it. */
const stepMs = 7 * dayMs;

interface ListedSpan {
  readonly nowMs: number;
  readonly days?: number;
  readonly tzVersion?: string | null | undefined;
}

/** The rules of this process for a zone, from the UTC day of an instant on. */
export function listClockRules(
  timeZone: string,
  { nowMs, days = listedDays, tzVersion = null }: ListedSpan,
): ClockRules {
  const startMs = Math.floor(nowMs / dayMs) * dayMs;
  const untilMs = startMs + days * dayMs;
  const rules = { tz_version: tzVersion, until: toUtcText(untilMs) };
  try {
    const { wall, findOffsetChange } = createZoneClock(timeZone);
    const toMinutes = (ms: number) => Math.round((wall(ms) - ms) / minuteMs);
    const offsets = [{ from: toUtcText(startMs), offset_minutes: toMinutes(startMs) }];
    for (let ms = startMs; ms < untilMs; ms += stepMs) {
      const offset = toMinutes(ms + stepMs);
      if (offset === offsets.at(-1)?.offset_minutes) continue;
      offsets.push({ from: toUtcText(findOffsetChange(ms, ms + stepMs)), offset_minutes: offset });
    }
    return { ...rules, offsets };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ...rules, offsets: [] };
  }
}

const maxOffsets = 1000;
const maxOffsetMinutes = 24 * 60;

/** Rules that were received; undefined for what no clock can follow. */
export function parseClockRules(value: unknown): ClockRules | undefined {
  const { tz_version: version, until, offsets } = (value ?? {}) as Partial<Record<keyof ClockRules, unknown>>;
  if (!Array.isArray(offsets) || offsets.length > maxOffsets || toMs(until) === undefined) return undefined;
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const one of offsets as readonly unknown[]) {
    const { from, offset_minutes: minutes } = (one ?? {}) as Record<string, unknown>;
    const fromMs = toMs(from) ?? lastMs;
    const isPossible = Number.isInteger(minutes) && Math.abs(Number(minutes)) < maxOffsetMinutes;
    if (fromMs <= lastMs || !isPossible) return undefined;
    lastMs = fromMs;
  }
  const isVersion = typeof version === 'string' && /^\d{4}[a-z]{0,2}$/.test(version);
  return { tz_version: isVersion ? version : null, until: String(until), offsets };
}

function toMs(value: unknown): number | undefined {
  return typeof value === 'string' ? parseInstant(value)?.ms : undefined;
}

/** How far local time is ahead of UTC at an instant; undefined where the rules do not say. */
export function findOffset({ offsets, until }: ClockRules, instantMs: number): number | undefined {
  if (instantMs >= Date.parse(until)) return undefined;
  const current = offsets.findLast(({ from }) => Date.parse(from) <= instantMs);
  return current && current.offset_minutes * minuteMs;
}

/** One local time that two sides read differently. */
export interface ClockDifference {
  /** As if it were UTC. */
  readonly wallMs: number;
  /** The instant that it is by the clock here, and by the received rules. */
  readonly ownMs: number;
  readonly theirMs: number;
}

/** The instants, read here from local times, that the rules of another side make other local times of. */
export function findClockDifferences(
  timeZone: string,
  rules: ClockRules,
  instants: Iterable<number>,
): ClockDifference[] {
  const { wall } = createZoneClock(timeZone);
  return [...instants].flatMap((ownMs) => {
    const [wallMs, offset] = [wall(ownMs), findOffset(rules, ownMs)];
    const isSame = offset === undefined || wallMs - ownMs === offset;
    return isSame ? [] : [{ wallMs, ownMs, theirMs: wallMs - offset }];
  });
}

/** The first instant of which two sides make different local times; undefined if they agree. */
export function findFirstDifference(
  timeZone: string,
  { own, theirs }: { readonly own: ClockRules; readonly theirs: ClockRules },
): ClockDifference | undefined {
  const changes = [...own.offsets, ...theirs.offsets].map(({ from }) => Date.parse(from));
  return findClockDifferences(
    timeZone,
    theirs,
    changes.sort((one, other) => one - other),
  )[0];
}
