import { countOf } from '../../contract/numbers.ts';
import type { ZoneClock } from '../../contract/time.ts';
import type { RecordReader } from './read-records.ts';

/** What a report reads from. */
export interface ReportSource {
  readonly reader: RecordReader;
  readonly timeZone: string;
  readonly zone: ZoneClock;
  readonly now: Date;
  /** Names of stylists by ID. */
  readonly stylistNames: ReadonlyMap<string, string>;
}

/** `Not counted: 3 payments (failed), 1 payment (pending).` Empty if everything was counted. */
export function renderLeftOut(counts: ReadonlyMap<string, number>, noun: string): string {
  const parts = [...counts].sort().map(([status, count]) => `${countOf(count, noun)} (${status})`);
  return parts.length === 0 ? '' : `Not counted: ${parts.join(', ')}.`;
}

export function countUp(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
