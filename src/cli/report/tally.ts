import type { ZoneClock } from '../../contract/time.ts';
import { createSpanFinder, type TimeGroups } from './groups.ts';

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
  readonly sums: Partial<Sums<Name>>;
}

/** Adds up figures by key, currency and time. Memory grows with the number of groups only. */
export interface Tally<Name extends string> {
  add(entry: TallyEntry<Name>): void;
  rows(): readonly TallyRow<Name>[];
}

export function createTally<Name extends string>(
  names: readonly Name[],
  { spans, befores }: TimeGroups,
  zone: ZoneClock,
): Tally<Name> {
  const findNow = createSpanFinder(spans, zone);
  const findBefore = createSpanFinder(befores, zone);
  type Cell = Omit<TallyRow<Name>, 'sums' | 'before'> & {
    sums: Record<Name, bigint>;
    before: Record<Name, bigint>;
  };
  const cells = new Map<string, Cell>();

  function cellOf({ key, currency }: TallyEntry<Name>, group: number): Cell {
    const id = `${group}\n${currency ?? ''}\n${key === null ? '' : `=${key}`}`;
    let cell = cells.get(id);
    if (cell === undefined) {
      cell = { key, currency, group, sums: zeros(names), before: zeros(names) };
      cells.set(id, cell);
    }
    return cell;
  }

  return {
    add(entry) {
      const [now, before] = [findNow(entry.atMs), findBefore(entry.atMs)];
      if (now >= 0) addTo(cellOf(entry, now).sums, entry.sums);
      if (before >= 0) addTo(cellOf(entry, before).before, entry.sums);
    },
    rows: () => [...cells.values()],
  };
}

export function zeros<Name extends string>(names: readonly Name[]): Record<Name, bigint> {
  return Object.fromEntries(names.map((name) => [name, 0n])) as Record<Name, bigint>;
}

function addTo<Name extends string>(sums: Record<Name, bigint>, added: Partial<Sums<Name>>): void {
  for (const name in added) sums[name] += added[name] ?? 0n;
}
