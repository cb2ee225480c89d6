import type { QueryValues } from '../api-requester.ts';

type Row = Readonly<Record<string, unknown>>;

/** Whether a row is what a filter asked for; undefined where that cannot be told from the row. */
type Judge = (row: Row, wanted: string) => boolean | undefined;

/** The contract's filters that can be told from a row. `q` is left out: a server may search more than we see. */
const judges: Readonly<Record<string, Judge>> = {
  client_id: (row, wanted) => isText(row['client_id'], (text) => text === wanted),
  appointment_id: (row, wanted) => isText(row['appointment_id'], (text) => text === wanted),
  stylist_id: (row, wanted) => isText(row['stylist_id'], (text) => text === wanted),
  status: (row, wanted) => isText(row['status'], (text) => wanted.split(',').includes(text)),
  email: (row, wanted) => isText(row['email'], (text) => text.toLowerCase() === wanted.toLowerCase()),
  phone: (row, wanted) => isText(row['phone'], (text) => toDigits(text) === toDigits(wanted)),
  start_time_from: (row, wanted) => isInstant(row['start_time'], wanted, (at, from) => at >= from),
  start_time_to: (row, wanted) => isInstant(row['start_time'], wanted, (at, to) => at < to),
  created_from: (row, wanted) => isInstant(row['created_at'], wanted, (at, from) => at >= from),
  created_to: (row, wanted) => isInstant(row['created_at'], wanted, (at, to) => at < to),
  updated_since: (row, wanted) => isInstant(row['updated_at'], wanted, (at, since) => at >= since),
};

/**
 * Checks rows against the filters that were sent, because a server may pass over one it does not know.
 * The check answers the name of a filter that a row proves was ignored; there is none where nothing can be checked.
 */
export function createFilterCheck(query: QueryValues): ((row: unknown) => string | undefined) | undefined {
  const asked = Object.entries(query).flatMap(([name, value]) => {
    const judge = Object.hasOwn(judges, name) ? judges[name] : undefined;
    return judge === undefined || value === undefined ? [] : [{ name, judge, wanted: String(value) }];
  });
  if (asked.length === 0) return undefined;
  return (row) => {
    if (typeof row !== 'object' || row === null) return undefined;
    return asked.find(({ judge, wanted }) => judge(row as Row, wanted) === false)?.name;
  };
}

function isText(value: unknown, test: (text: string) => boolean): boolean | undefined {
  if (value === null) return false;
  return typeof value === 'string' ? test(value) : undefined;
}

function isInstant(
  value: unknown,
  bound: string,
  test: (at: number, bound: number) => boolean,
): boolean | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  const limit = Date.parse(bound);
  return Number.isNaN(at) || Number.isNaN(limit) || !bound.includes('T') ? undefined : test(at, limit);
}

function toDigits(text: string): string {
  return text.replace(/\D/g, '');
}
