import type { SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/http/decode.ts';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import { SalonError } from '../../contract/errors.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { pageSizes } from '../../contract/limits.ts';
import { forEachConcurrent } from '../concurrent.ts';
import { type EditOperation, toMatchKey } from '../input/edit-fields.ts';
import type { RecordJoin } from './record-join.ts';

export interface CurrentRecordsOptions extends Asking {
  /** The rows, and where the records go that they name. */
  readonly pairing: RecordJoin<unknown>;
  /** Single records that are asked for at once. */
  readonly width: number;
  /** Where a long walk keeps what it has seen. */
  readonly folder: string;
  /** Told how many records of how many were read. */
  readonly watch?: ((read: number, total: number | undefined) => void) | undefined;
}

export interface CurrentRecords {
  /** Records in the list; undefined where nobody told. */
  readonly total: number | undefined;
  /** Whether a record that was not found is certain not to be there. */
  readonly isSure: boolean;
}

/** So few rows are asked for one by one without a look at the list. */
const few = 2;

/**
 * Reads the records that rows name with the fewest requests: one by one, or the whole list, whichever is cheaper.
 * Finding out which takes one request at most. What a list that cannot vouch for itself did not show is asked for
 * one by one, as far as that costs no more than the list did.
 */
export async function readCurrentRecords(reading: CurrentRecordsOptions): Promise<CurrentRecords> {
  const { pairing } = reading;
  const ask = createAskOne(reading);
  if (pairing.size === 0) return { total: undefined, isSure: true };
  if (pairing.size <= few) {
    const isAsked = await askAll(ask, pairing.missing(), reading);
    return isAsked ? { total: undefined, isSure: true } : readList(reading, ask);
  }
  const { rows, total } = await readFirstPage(reading);
  const isWhole = total === rows.length;
  // By another field than `id`, a record says nothing of whether there are others.
  if (isWhole || reading.match === 'id') for (const record of rows) pairing.addRecord(record);
  if (isWhole) return { total, isSure: true };
  const pages = Math.ceil((total ?? pairing.size) / Math.max(1, rows.length));
  const isAsked = pairing.size < pages && (await askAll(ask, pairing.missing(), reading));
  return isAsked ? { total, isSure: true } : readList(reading, ask);
}

async function readFirstPage({ client, noun }: CurrentRecordsOptions) {
  for await (const { rows, total } of client[noun].list(undefined, { limit: pageSizes.most })) {
    return { rows: rows as readonly Fields[], total };
  }
  return { rows: [], total: 0 };
}

async function readList(reading: CurrentRecordsOptions, ask: AskOne | undefined): Promise<CurrentRecords> {
  const { client, noun, match, pairing, watch } = reading;
  const walk = client[noun].list();
  let read = 0;
  let total: number | undefined;
  let known: string | undefined;
  for await (const page of walk) {
    const rows: readonly Fields[] = page.rows;
    for (const record of rows) pairing.addRecord(record);
    read += rows.length;
    total = page.total;
    known ??= toMatchKey(match, rows[0]?.[match]);
    watch?.(read, total);
  }
  const verdict = walk.consistency();
  const isSure = verdict !== undefined && isProof(verdict);
  if (isSure) return { total, isSure };
  const missing = takeFirst(pairing.missing(), Math.max(few, verdict?.pages ?? 0));
  if (missing.keys.length === 0) return { total, isSure: true };
  // A record that is there proves that the server can be asked, which one that is not there may not.
  const keys = known === undefined ? missing.keys : [known, ...missing.keys];
  return { total, isSure: (await askAll(ask, keys, reading)) && !missing.areMore };
}

/** Whether a walk shows every record that was there all the while. */
function isProof({ kind, versions }: ConsistencyReport): boolean {
  return kind === 'exact' || (kind === 'consistent' && versions !== undefined);
}

/** Asks for records one by one; false as soon as it shows that they are not to be had so. */
async function askAll(
  ask: AskOne | undefined,
  keys: Iterable<string>,
  { pairing, width }: CurrentRecordsOptions,
): Promise<boolean> {
  let canAsk = ask !== undefined;
  const rest = each(keys);
  const work = async (key: string) => {
    const records = await ask?.(key);
    canAsk &&= records !== undefined;
    for (const record of records ?? []) pairing.addRecord(record);
  };
  // The first one goes alone: what it teaches of the server holds for the others.
  const first = await rest.next();
  if (!first.done) await work(first.value);
  await forEachConcurrent(rest, { most: width, mayGoOn: () => canAsk, work });
  return canAsk;
}

async function* each(keys: Iterable<string>): AsyncGenerator<string> {
  yield* keys;
}

function takeFirst(keys: Iterable<string>, most: number) {
  const taken: string[] = [];
  for (const key of keys) {
    if (taken.length === most) return { keys: taken, areMore: true };
    taken.push(key);
  }
  return { keys: taken, areMore: false };
}

/**
 * Asks the server for the records with one key: none or one for an identifier, else as many as there are, a few of
 * them where they are many. Undefined where this server cannot be asked so.
 */
export type AskOne = (key: string) => Promise<readonly Fields[] | undefined>;

export interface Asking {
  readonly client: SalonClient;
  readonly noun: EditOperation['noun'];
  readonly match: string;
}

/** Undefined where records are not to be had by this field. */
export function createAskOne(asking: Asking): AskOne | undefined {
  if (asking.match === 'id') return askById(asking);
  return filters[asking.noun].includes(asking.match) ? askByFilter(asking) : undefined;
}

/** Fields that the contract's lists can be asked for. */
const filters: Readonly<Record<EditOperation['noun'], readonly string[]>> = {
  clients: ['email', 'phone'],
  appointments: [],
};

function askById({ client, noun }: Asking): AskOne {
  let isThere = false;
  return async (id) => {
    if (!isIdentifier(id)) return [];
    try {
      const record = await client[noun].get(id, { searchesList: false });
      isThere = true;
      return [record];
    } catch (thrown) {
      const code = thrown instanceof SalonError ? thrown.code : undefined;
      if (code !== 'not_found' && code !== 'not_supported') throw thrown;
      isThere ||= code === 'not_found';
      // A foreign 404 means the path as well as the record, until a record has been had from it.
      return isThere ? [] : undefined;
    }
  };
}

/** More than one record is one too many already. */
const enough = 5;

/** The filter goes out as a parameter of its own, so that a server that passes it over is seen by its first row. */
function askByFilter({ client, noun, match }: Asking): AskOne {
  const name = client.dialect().filterNames[match] ?? match;
  return async (key) => {
    const found: Fields[] = [];
    try {
      for await (const { rows } of client[noun].list(undefined, { parameters: { [name]: key } })) {
        const records: readonly Fields[] = rows;
        if (records.some((record) => toMatchKey(match, record[match]) !== key)) return undefined;
        found.push(...records.slice(0, enough - found.length));
        if (found.length === enough) break;
      }
    } catch (thrown) {
      const isRefused = thrown instanceof SalonError && (thrown.status === 400 || thrown.status === 422);
      if (!isRefused) throw thrown;
      return undefined;
    }
    return found;
  };
}
