import { SalonError } from '../../contract/errors.ts';
import { toIdText } from '../../contract/identifiers.ts';
import { isSameJson } from '../../text/json.ts';
import { quote } from '../../text/quote.ts';
import { readStatus } from '../appointment-status.ts';
import type { ApiResponse } from '../http/decode.ts';
import type { QueryValues } from '../http/request-path.ts';
import { type Fields, isFields } from '../json-object.ts';
import type { PagedList } from '../pagination/paginate.ts';
import type { Tagged, Written } from './response-record.ts';
import { isNothing, isOtherForm, isSameMeaning } from './stored-value.ts';

/** Why a field differs from what was sent. `hidden`: records never show it. */
interface Difference {
  readonly field: string;
  readonly kind: 'unchanged' | 'missing' | 'other' | 'hidden';
  readonly stored: unknown;
}

/** The fields of a write that a record does not have, not even in another form. */
export function findDifferences(sent: Fields, before: Fields | undefined, now: Fields): Difference[] {
  return Object.entries(sent).flatMap(([field, value]): Difference[] => {
    const old = before?.[field];
    if (
      isRequestOption(field) ||
      moving.test(field) ||
      (before !== undefined && isSameJson(value, old ?? null))
    )
      return [];
    const stored = now[findName(now, field) ?? field];
    const status = field === 'status' ? readStatus(value) : undefined;
    if (isSameMeaning(value, stored) || (status !== undefined && status === readStatus(stored))) return [];
    // Many servers leave out what is false or 0.
    const isZero = value === false || value === 0;
    if (isZero && stored === undefined && old !== undefined) return [];
    if (stored === undefined && (isZero || secret.test(field))) return [{ field, kind: 'hidden', stored }];
    if (before !== undefined && isSameJson(stored ?? null, old ?? null))
      return [{ field, kind: 'unchanged', stored }];
    if (isOtherForm(value, stored)) return [];
    return [{ field, kind: isNothing(stored) ? 'missing' : 'other', stored }];
  });
}

/** The member with a field: also `client` for `client_id`. */
function findName(record: Fields, field: string): string | undefined {
  const name = Object.hasOwn(record, field) ? field : field.replace(/_id$/, '');
  return Object.hasOwn(record, name) ? name : undefined;
}

/** Times and versions that every write changes. */
const moving = /^(?:last_?)?(?:updated|modified)(?:_?(?:at|on|time))?$|^(?:lock_?)?version$/i;
/** What records never show. */
const secret = /passw(?:or)?d|passphrase|secret|token|^pin$/i;

interface SentWrite<T> {
  readonly noun: string;
  /** Of the response. */
  readonly status: number;
  readonly sent: Fields;
  /** The record before; undefined if it was not read. */
  readonly before?: object | undefined;
  readonly isNew?: boolean;
  readonly read: (id: string) => Promise<Tagged<T>>;
}

/**
 * Confirms that a record has what was sent: servers drop fields that they do not know, or that cannot be changed, with a
 * success. Where the response does not show it, the record is read again. Throws `refused` for fields that were not
 * stored, and `result_unknown` where nothing shows that; members name the fields, and contain the record.
 */
export async function confirmWrite<T>(written: Written<T>, write: SentWrite<T>): Promise<Written<T>> {
  const { sent, isNew = false, read } = write;
  const before = write.before as Fields | undefined;
  const { id, outcome } = written;
  const shown = written.record as Fields | undefined;
  const isShown = shown !== undefined && (isNew || toIdText(shown['id']) === id);
  if (isShown && outcome === 'done' && findDifferences(sent, before, shown).length === 0) return written;
  let now: Tagged<T> | undefined;
  let cause: SalonError | undefined;
  try {
    now = id === undefined ? undefined : await read(id);
  } catch (thrown) {
    if (!(thrown instanceof SalonError)) throw thrown;
    cause = thrown;
  }
  const differences =
    now === undefined
      ? Object.keys(sent).map((field) => ({ field, kind: 'hidden', stored: undefined }) as const)
      : findDifferences(sent, before, now.record as Fields);
  if (now !== undefined && differences.length === 0) return { ...now, id, outcome: 'done' };
  if (outcome === 'accepted') return written;
  throw toUnstoredError(write, { ...written, ...now }, { differences, cause, isReadAgain: !isShown });
}

interface Reading {
  readonly differences: readonly Difference[];
  /** Why the record could not be read. */
  readonly cause: SalonError | undefined;
  readonly isReadAgain: boolean;
}

function toUnstoredError(
  { noun, status, sent, isNew }: SentWrite<unknown>,
  { id, record = null }: Written<unknown>,
  { differences, cause, isReadAgain }: Reading,
): SalonError {
  const of = (...kinds: Difference['kind'][]) => differences.filter(({ kind }) => kinds.includes(kind));
  const list = (some: readonly Difference[]) => some.map(({ field }) => field).join(', ');
  const [lost, others, hidden] = [of('unchanged', 'missing'), of('other'), of('hidden')];
  const fields = differences.map(({ field }) => field);
  const saved = Object.keys(sent).filter((field) => !fields.includes(field) && !isRequestOption(field));
  const name = `${noun} ${id}`;
  const facts = [
    lost.length > 0 && !isNew ? `${list(lost)} of ${name} did not change` : '',
    lost.length > 0 && isNew ? `${name} was stored without ${list(lost)}` : '',
    ...others.map(({ field, stored }) => `${field} of ${name} is ${quote(JSON.stringify(stored), 80)}`),
    hidden.length > 0 ? `it is unknown whether it stored ${list(hidden)}` : '',
  ].filter((fact) => fact !== '');
  const rest = cause?.message ?? (saved.length === 0 ? '' : `Saved: ${saved.join(', ')}.`);
  const message = `The server responded with ${status}, but ${facts.join('; ')}. ${rest}`.trimEnd();
  const isUnknown = hidden.length === differences.length;
  // A copy of the database that is read may lag behind, unless a part of the change shows otherwise.
  const mayLag = isReadAgain && !isNew && saved.length === 0 && others.length === 0;
  const code = cause?.code === 'interrupted' ? 'interrupted' : isUnknown ? 'result_unknown' : 'refused';
  return new SalonError(code, message, {
    status,
    hint: isUnknown
      ? 'Check the record before you try again.'
      : 'The server may not have the field, or not let you change it. Look at its response with --debug.',
    members: {
      ...(isUnknown || mayLag ? { in_doubt: true } : {}),
      ...(isUnknown ? { unconfirmed: fields } : { not_stored: fields, saved }),
      ...{ id: id ?? null, record },
    },
    cause,
  });
}

/** Whether a success says by itself that a record is deleted: 204, the record, or a member that says so. */
export function saysDeleted({ status, body }: ApiResponse, id: string): boolean {
  if (status !== 200 && status !== 207) return true;
  if (!isFields(body)) return false;
  const isSaid = ['deleted', 'success', 'ok'].some((name) => body[name] === true);
  return isSaid || (toIdText(body['id']) === id && body['deleted'] !== false);
}

/** Whether a record is one that a server keeps after its deletion. */
export function isMarkedDeleted(record: Fields): boolean {
  return Object.entries(record).some(
    ([name, value]) => /^(?:is_?)?(?:deleted|archived)(?:_?at|_?on|_?date)?$/i.test(name) && Boolean(value),
  );
}

/** Whether a success to a new record shows that there is one. */
export function saysCreated(
  { outcome, id, record }: Written<unknown>,
  status: number,
  sent: Fields,
): boolean {
  if (id !== undefined || outcome === 'accepted') return true;
  if (record === undefined) return false;
  const isCreated = status !== 200 && status !== 207;
  return isCreated || findDifferences(sent, undefined, record as Fields).length === 0;
}

/** Clocks of two machines differ. */
const clockSlackMs = 5 * 60_000;

interface CreationSearch {
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
function isRequestOption(field: string): boolean {
  return field.startsWith('allow_');
}

const creationNames = ['created_at', 'createdAt', 'created', 'date_created', 'inserted_at', 'creation_date'];

/** Milliseconds since 1970; NaN where the record does not say when it was created. */
function readCreationTime(record: Fields): number {
  const value = creationNames.map((name) => record[name]).find((one) => one !== undefined && one !== null);
  if (typeof value === 'number') return value < 1e11 ? value * 1000 : value;
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}
