import { type Fields, isFields } from '../fields.ts';
import type { QueryValues } from '../http/request-path.ts';
import type { PagedList } from '../pagination/paginate.ts';

/** Clocks of two machines differ. */
const clockSlackMs = 5 * 60_000;

export interface CreationSearch {
  /** What was sent. */
  readonly body: Fields;
  /** When it was sent, in milliseconds since 1970. */
  readonly sentAtMs: number;
  readonly isSame: (sent: unknown, stored: unknown, field: string) => boolean;
}

/**
 * Finds the records that a create without a clear response may have made: they have every value that was sent, and
 * were created since. A record that does not say when it was created may be an older one with the same values, and is
 * not among them.
 */
export async function findCreated(
  list: (query: QueryValues) => PagedList<unknown>,
  { body, sentAtMs, isSame }: CreationSearch,
): Promise<readonly Fields[]> {
  const sinceMs = sentAtMs - clockSlackMs;
  const sent = Object.entries(body).filter(([field]) => !isRequestOption(field));
  const found: Fields[] = [];
  for await (const { rows } of list({ updated_since: new Date(sinceMs).toISOString() })) {
    for (const row of rows) {
      if (!isFields(row) || !(readCreationTime(row) >= sinceMs)) continue;
      if (sent.every(([field, value]) => isSame(value, row[field] ?? null, field))) found.push(row);
    }
  }
  return found;
}

/** `allow_overlap` and the like are part of a request, not of the record. */
export function isRequestOption(field: string): boolean {
  return field.startsWith('allow_');
}

const creationNames = ['created_at', 'createdAt', 'created', 'date_created', 'inserted_at', 'creation_date'];

/** Milliseconds since 1970; NaN where the record does not say when it was created. */
function readCreationTime(record: Fields): number {
  const value = creationNames.map((name) => record[name]).find((one) => one !== undefined && one !== null);
  if (typeof value === 'number') return value < 1e11 ? value * 1000 : value;
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}
