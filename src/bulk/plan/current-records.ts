import type { SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/json-object.ts';
import { hasFilter, toFilterParameters } from '../../client/pagination/list-query.ts';
import { type PagedList, takeFirst } from '../../client/pagination/paginate.ts';
import { SalonError } from '../../contract/errors.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { pageSizes } from '../../contract/limits.ts';
import type { Phones } from '../../text/phone-reader.ts';
import { forEachConcurrent } from '../concurrent.ts';
import { type EditOperation, toMatchKey } from '../input/edit-fields.ts';
import type { RecordJoin } from './record-join.ts';

export interface CurrentRecordsOptions {
  readonly client: SalonClient;
  readonly noun: EditOperation['noun'];
  /** The field by which records are found. */
  readonly match: string;
  /** Reads the keys, if these are phone numbers. */
  readonly phones?: Phones | undefined;
  /** The rows; the records they name are added to it. */
  readonly join: RecordJoin<unknown>;
  /** Single records read at a time; 8. */
  readonly concurrency?: number | undefined;
  /** Called with the number of records read, and of how many. */
  readonly onProgress?: ((read: number, total: number | undefined) => void) | undefined;
}

export interface CurrentRecords {
  /** Records in the list; undefined if the server does not say. */
  readonly total: number | undefined;
  /** Whether a record that was not found certainly does not exist. */
  readonly isComplete: boolean;
}

/** Up to this many records are read one by one without looking at the list. */
const few = 2;

/**
 * Reads the records that rows name with the fewest requests: one by one, or the whole list, whichever is cheaper;
 * finding out takes at most one request. Records missing from a list that may be incomplete are then read one by one,
 * as long as that costs at most as much as the list did.
 */
export async function readCurrentRecords(options: CurrentRecordsOptions): Promise<CurrentRecords> {
  const { join } = options;
  const lookup = createLookup(options);
  if (join.size === 0) return { total: undefined, isComplete: true };
  if (join.size <= few) {
    const isComplete = await lookUpAll(lookup, join.missing(), options);
    return isComplete ? { total: undefined, isComplete } : readList(options, lookup);
  }
  const list: PagedList<Fields> = options.client[options.noun].list(undefined, { limit: pageSizes.max });
  const { rows, total } = (await takeFirst(list)) ?? { rows: [], total: 0 };
  const isWhole = total === rows.length;
  // Another field than `id` may be shared by records on later pages.
  if (isWhole || options.match === 'id') for (const record of rows) join.addRecord(record);
  if (isWhole) return { total, isComplete: true };
  const pages = Math.ceil((total ?? join.size) / Math.max(1, rows.length));
  const isComplete = join.size < pages && (await lookUpAll(lookup, join.missing(), options));
  return isComplete ? { total, isComplete } : readList(options, lookup);
}

async function readList(
  options: CurrentRecordsOptions,
  lookup: RecordLookup | undefined,
): Promise<CurrentRecords> {
  const { client, noun, match, phones, join, onProgress } = options;
  const list = client[noun].list();
  let read = 0;
  let total: number | undefined;
  let knownKey: string | undefined;
  for await (const page of list) {
    const rows: readonly Fields[] = page.rows;
    for (const record of rows) join.addRecord(record);
    read += rows.length;
    total = page.total;
    knownKey ??= toMatchKey(match, rows[0]?.[match], phones);
    onProgress?.(read, total);
  }
  const { kind, versions, pages = 0 } = list.consistency() ?? {};
  // The list has every record that existed from start to end.
  const isProven = kind === 'exact' || (kind === 'consistent' && versions !== undefined);
  if (isProven) return { total, isComplete: true };
  const most = Math.max(few, pages);
  const missing = [...join.missing().take(most + 1)];
  if (missing.length === 0) return { total, isComplete: true };
  // Finding a record that exists proves that lookups work; not finding one proves nothing.
  const keys = [...(knownKey === undefined ? [] : [knownKey]), ...missing.slice(0, most)];
  return { total, isComplete: (await lookUpAll(lookup, keys, options)) && missing.length <= most };
}

/** Reads records one by one; false as soon as the server turns out not to support that. */
async function lookUpAll(
  lookup: RecordLookup | undefined,
  keys: Iterable<string>,
  { join, concurrency = 8 }: CurrentRecordsOptions,
): Promise<boolean> {
  let isSupported = lookup !== undefined;
  const rest = Iterator.from(keys);
  const work = async (key: string) => {
    const records = await lookup?.(key);
    isSupported &&= records !== undefined;
    for (const record of records ?? []) join.addRecord(record);
  };
  // The first goes alone: it shows whether the others are worth sending.
  const first = rest.next();
  if (!first.done) await work(first.value);
  await forEachConcurrent(rest, { most: concurrency, mayGoOn: () => isSupported, work });
  return isSupported;
}

/**
 * Reads the records with one key: at most one for an ID, else all of them, up to five. Undefined if the server does
 * not support the lookup.
 */
type RecordLookup = (key: string) => Promise<readonly Fields[] | undefined>;

type LookupOptions = Pick<CurrentRecordsOptions, 'client' | 'noun' | 'match' | 'phones'>;

/** Undefined if records cannot be looked up by this field. */
function createLookup(options: LookupOptions): RecordLookup | undefined {
  if (options.match === 'id') return lookUpById(options);
  // The contract's lists can be filtered by them.
  const isFilter = options.noun === 'clients' && ['email', 'phone'].includes(options.match);
  return isFilter ? lookUpByFilter(options) : undefined;
}

function lookUpById({ client, noun }: LookupOptions): RecordLookup {
  let isSupported = false;
  return async (id) => {
    if (!isIdentifier(id)) return [];
    try {
      const record = await client[noun].get(id, { searchesList: false });
      isSupported = true;
      return [record];
    } catch (thrown) {
      const code = thrown instanceof SalonError ? thrown.code : undefined;
      if (code !== 'not_found' && code !== 'not_supported') throw thrown;
      isSupported ||= code === 'not_found';
      // An unknown 404 may mean the path or the record, until a record has been read from that path.
      return isSupported ? [] : undefined;
    }
  };
}

/** More than one record is too many already. */
const enough = 5;

/** The filter is sent as a separate parameter, so that the first row shows whether the server ignored it. */
function lookUpByFilter({ client, noun, match, phones }: LookupOptions): RecordLookup | undefined {
  const dialect = client.dialect(noun);
  if (!hasFilter(match, dialect)) return undefined;
  let isConfirmed = false;
  return async (key) => {
    const found: Fields[] = [];
    try {
      const parameters = toFilterParameters({ [match]: key }, dialect);
      for await (const { rows, version } of client[noun].list(undefined, { parameters })) {
        const records: readonly Fields[] = rows;
        isConfirmed ||= version !== undefined || rows.length > 0;
        // Others may know a phone in one form alone.
        if (match === 'phone' && version === undefined) return undefined;
        if (records.some((record) => toMatchKey(match, record[match], phones) !== key)) return undefined;
        found.push(...records.slice(0, enough - found.length));
        if (found.length === enough) break;
      }
    } catch (thrown) {
      const isRefused = thrown instanceof SalonError && (thrown.status === 400 || thrown.status === 422);
      if (!isRefused) throw thrown;
      return undefined;
    }
    // A server may find nothing because it does not know the filter.
    return isConfirmed ? found : undefined;
  };
}
