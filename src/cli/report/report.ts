import type { Fields } from '../../client/json-object.ts';
import { ExactNumber } from '../../text/json.ts';
import type { Period } from '../flags/periods.ts';
import { type ColumnSet, columnSet } from '../output/columns.ts';
import type { Grouping } from './report-question.ts';

export interface ReportColumn {
  /** The field in machine formats. */
  readonly key: string;
  readonly heading: string;
  /** How its values are written for people. */
  readonly kind: 'count' | 'amount' | 'minutes' | 'percent' | 'points' | 'change';
  /** Columns with a higher number are left out of a narrow table first; 0 never is. */
  readonly rank: number;
}

export type ReportValue = bigint | number | null;

export interface ReportRow {
  /** The name of the stylist, service or time. */
  readonly label: string;
  readonly currency?: string | undefined;
  /** What identifies the row in machine formats. */
  readonly keys: Readonly<Record<string, string | null>>;
  /** Amounts are in minor units. */
  readonly values: Readonly<Record<string, ReportValue>>;
  /** Whether it is for records without a stylist, service or appointment. */
  readonly isRest?: boolean;
}

export interface Report {
  /** `Revenue`. */
  readonly name: string;
  readonly grouping: Grouping;
  readonly period: Period;
  readonly timeZone: string;
  readonly columns: readonly ReportColumn[];
  /** The column that the bars show. */
  readonly measure: string;
  /** Whether a rise is bad news. */
  readonly lessIsBetter?: boolean;
  readonly rows: readonly ReportRow[];
  /** One for each currency; values of different currencies are never added up. */
  readonly totals: readonly ReportRow[];
  /** What the values mean and what is left out. */
  readonly notes: readonly string[];
  /** The one note that machine formats, which have none, must not keep quiet about. */
  readonly warning?: string | undefined;
}

/** The columns of a report in machine formats. */
export function toMachineColumns({ grouping, columns }: Report): ColumnSet {
  const hasCurrency = columns.some(({ kind }) => kind === 'amount');
  const isPerson = grouping === 'stylist' || grouping === 'client';
  const texts = isPerson ? [`${grouping}_id`, `${grouping}_name`] : [grouping];
  if (hasCurrency) texts.push('currency');
  const numbers = columns.map(({ key, kind }) => [key, kind === 'amount' ? kind : 'integer'] as const);
  return columnSet(Object.fromEntries([...texts.map((key) => [key, 'text'] as const), ...numbers]));
}

/** One row per group; the totals are left out, so that a sum of a column is right. */
export function toMachineRows({ rows, columns }: Report): readonly Fields[] {
  return rows.map(({ keys, currency, values }) => ({
    ...keys,
    ...(currency === undefined ? {} : { currency }),
    ...Object.fromEntries(columns.map(({ key }) => [key, toJsonValue(values[key] ?? null)])),
  }));
}

function toJsonValue(value: ReportValue): number | ExactNumber | null {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : new ExactNumber(String(value));
}
