import { countOf } from '../../contract/numbers.ts';
import type { ZoneClock } from '../../contract/time.ts';
import { toText } from '../people/names.ts';
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

/** A status as the contract writes it: `NoShow` and `no-show` are `no_show`, `canceled` is `cancelled`. */
export function toStatus(value: unknown): string {
  if (typeof value === 'string' && plainStatus.test(value) && value !== 'canceled' && value !== 'noshow')
    return value;
  const text = toText(value)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  if (text === 'noshow') return 'no_show';
  return text === 'canceled' ? 'cancelled' : text;
}

const plainStatus = /^[a-z_]*$/;

/** `Not counted: 3 failed payments, 1 pending payment.` Empty if everything was counted. */
export function renderLeftOut(counts: ReadonlyMap<string, number>, noun: string): string {
  const parts = [...counts]
    .sort()
    .map(([status, count]) => `${countOf(count, `${status.replaceAll('_', '-')} ${noun}`)}`);
  return parts.length === 0 ? '' : `Not counted: ${parts.join(', ')}.`;
}

export function countUp(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
