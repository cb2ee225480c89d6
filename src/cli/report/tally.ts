import type { ZoneClock } from '../../contract/time.ts';
import { createSpanFinder, type TimeGroups } from './groups.ts';
import { add, type Exact } from './money.ts';

/** Exact sums, by name. */
export type Sums<Name extends string> = Readonly<Record<Name, bigint>>;

/** The figures of a group, and those of the time it is compared with. */
export interface TallyRow<Name extends string> {
  /** The stylist's ID or the service, empty if a record has none; null for records that belong to nothing. */
  readonly key: string | null;
  /** Of amounts; undefined for a report without any. */
  readonly currency: string | undefined;
  /** The index of the time group. */
  readonly group: number;
  readonly sums: Sums<Name>;
  readonly before: Sums<Name>;
}

export interface TallyEntry<Name extends string> {
  readonly key: string | null;
  readonly currency?: string | undefined;
  readonly atMs: number;
  readonly sums: Readonly<Partial<Record<Name, Exact>>>;
}

/** Adds up figures by key, currency and time. Memory grows with the number of groups only. */
export interface Tally<Name extends string> {
  add(entry: TallyEntry<Name>): void;
  rows(): readonly TallyRow<Name>[];
}

type Counters = Record<string, Exact>;

interface Cell {
  readonly sums: Counters;
  readonly before: Counters;
}

export function createTally<Name extends string>(
  names: readonly Name[],
  { spans, befores }: TimeGroups,
  zone: ZoneClock,
): Tally<Name> {
  const findNow = createSpanFinder(spans, zone);
  const findBefore = createSpanFinder(befores, zone);
  const cells = new Map<string | undefined, Map<string | null, Cell[]>>();
  const toCounters = (): Counters => Object.fromEntries(names.map((name) => [name, 0]));

  function cellOf({ key, currency }: TallyEntry<Name>, group: number): Cell {
    const byKey = cells.get(currency) ?? new Map<string | null, Cell[]>();
    const groups = byKey.get(key) ?? [];
    const cell = groups[group] ?? { sums: toCounters(), before: toCounters() };
    if (groups[group] === undefined) {
      groups[group] = cell;
      cells.set(currency, byKey.set(key, groups));
    }
    return cell;
  }

  function addTo(counters: Counters, added: TallyEntry<Name>['sums']): void {
    for (const name of names) {
      const amount = added[name];
      if (amount !== undefined) counters[name] = add(counters[name] ?? 0, amount);
    }
  }

  return {
    add(entry) {
      const [now, before] = [findNow(entry.atMs), findBefore(entry.atMs)];
      if (now >= 0) addTo(cellOf(entry, now).sums, entry.sums);
      if (before >= 0) addTo(cellOf(entry, before).before, entry.sums);
    },
    rows: () =>
      [...cells].flatMap(([currency, byKey]) =>
        [...byKey].flatMap(([key, groups]) =>
          groups.flatMap(({ sums, before }, group) => {
            return [{ key, currency, group, sums: toSums(sums, names), before: toSums(before, names) }];
          }),
        ),
      ),
  };
}

/** The same figures without keys. */
export function joinKeys<Name extends string>(rows: readonly TallyRow<Name>[]): readonly TallyRow<Name>[] {
  const joined = new Map<string, TallyRow<Name>>();
  for (const row of rows) {
    const id = `${row.group} ${row.currency ?? ''}`;
    const sum = joined.get(id);
    joined.set(id, {
      ...{ ...row, key: null },
      sums: sum === undefined ? row.sums : addSums(sum.sums, row.sums),
      before: sum === undefined ? row.before : addSums(sum.before, row.before),
    });
  }
  return [...joined.values()];
}

export function zeros<Name extends string>(names: readonly Name[]): Sums<Name> {
  return toSums({}, names);
}

function toSums<Name extends string>(counters: Counters, names: readonly Name[]): Sums<Name> {
  return Object.fromEntries(names.map((name) => [name, BigInt(counters[name] ?? 0)])) as Sums<Name>;
}

function addSums<Name extends string>(one: Sums<Name>, other: Sums<Name>): Sums<Name> {
  const names = Object.keys(one) as Name[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as Sums<Name>;
}
