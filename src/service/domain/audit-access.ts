import { hash } from 'node:crypto';
import { SalonError } from '../../contract/errors.ts';
import { type RefusalRow, readRefusals, serviceChain, toChainLock } from '../db/audit/entries.ts';
import type { Reader } from '../db/engine.ts';
import { type Actor, recordAudit, recordSecurityEvent, toActor } from './audit.ts';
import type { Caller, Context, RequestSource } from './context.ts';
import { exportRows } from './limits.ts';

/** What was refused to whom. */
interface RefusedAccess {
  /** Null for what concerns no account. */
  readonly accountId: string | null;
  readonly actor: Actor;
  /** The ID of the record, if the request named one. */
  readonly id?: string | undefined;
  /** Such as an operation of the API or the name of a page. */
  readonly operation: string;
  /** Such as `permission_denied`. */
  readonly code: string;
}

type RefusalContext = Pick<Context, 'database' | 'environment' | 'source'>;

/** Refusals and the rows of exports are counted over this time. */
const windowMs = 3_600_000;
const maxPerActor = 20;
/** Of all that have no credential of the account together. */
const maxAnonymous = 200;
const maxPerAccount = 1000;

/**
 * Records a refused request. The same refusal of the same credential and address is recorded once an hour, and the
 * number of entries is bounded, so that refused requests cannot fill the log.
 */
export async function recordRefusal(context: RefusalContext, refusal: RefusedAccess): Promise<void> {
  const { database, environment, source } = context;
  const { accountId, actor, id = null, operation, code } = refusal;
  const chain = accountId ?? serviceChain;
  const sinceMs = environment.now().getTime() - windowMs;
  const isKnown = async (reader: Reader) =>
    isRecorded(
      await readRefusals(reader, { accountId: chain, sinceMs, limit: maxPerAccount }),
      refusal,
      source,
    );
  if (await isKnown(database.reader)) return;
  await database.transaction(toChainLock(chain), async (tx) => {
    if (await isKnown(tx)) return;
    const details = { operation, code };
    await recordSecurityEvent(tx, context, { accountId, actor, action: 'access.refused', id, details });
  });
}

/** Records that the caller of an operation was refused. */
export function recordRefusedCaller(
  context: RefusalContext & { readonly caller: Pick<Caller, 'account' | 'credential'> },
  refusal: Pick<RefusedAccess, 'id' | 'operation' | 'code'>,
): Promise<void> {
  const { caller } = context;
  return recordRefusal(context, { accountId: caller.account.id, actor: toActor(caller), ...refusal });
}

function isRecorded(
  rows: readonly RefusalRow[],
  { actor, operation, code }: RefusedAccess,
  { address }: RequestSource,
): boolean {
  if (rows.length >= maxPerAccount) return true;
  const own = rows.filter((row) => row.actor_id === actor.id);
  if (own.length >= (actor.id === null ? maxAnonymous : maxPerActor)) return true;
  return own.some((row) => {
    const { details } = JSON.parse(row.changes ?? '{}');
    return row.address === address && details?.operation === operation && details?.code === code;
  });
}

/** A page of a list that is about to be sent. */
interface SentPage {
  /** The kind of record, such as `client`. */
  readonly resource: string;
  /** Identifies the page: a page that is read again does not count again. */
  readonly url: string;
  readonly count: number;
  readonly isLast: boolean;
  /** The names of the filters. Their values may be personal. */
  readonly filters: readonly string[];
}

interface Reading {
  readonly sinceMs: number;
  readonly seen: Set<string>;
  rows: number;
  /** How many of them entries say: the next one is due when more than twice as many have been read. */
  recordedRows: number;
  /** How many had been read when the end was last reached. */
  completedRows: number;
  /** The page with the end, if it was the last one that was read. */
  lastPage: string | undefined;
}

/** Readings kept at most; the oldest are forgotten first. */
const maxReadings = 10_000;
/** Longer addresses are kept as their digest. */
const maxUrlLength = 100;

/** How long to wait before an entry that could not be written is tried again. */
const retryMs = 10_000;

const afterRetryMs = (act: () => void) => void setTimeout(act, retryMs).unref();

/**
 * Creates the log of exports: lists of which one credential reads many rows within an hour. Rows are counted per
 * credential and kind of record, in this process. The first entry is written before the page that exceeds the limit is
 * sent, further ones whenever the rows have doubled and at the end, each with the rows since the one before. While the
 * database cannot be written, pages are sent, and the entry follows as soon as it can be written.
 */
export function createExportLog(schedule: (act: () => void) => void = afterRetryMs) {
  const readings = new Map<string, Reading>();
  /** What writes the entry of a reading that is missing. */
  const unwritten = new Map<string, () => Promise<void>>();

  function findReading(name: string, nowMs: number): Reading {
    const known = readings.get(name);
    if (known !== undefined && nowMs - known.sinceMs < windowMs && nowMs >= known.sinceMs) return known;
    readings.delete(name);
    const [oldest] = readings.size >= maxReadings ? readings.keys() : [];
    if (oldest !== undefined) readings.delete(oldest);
    const counts = { rows: 0, recordedRows: 0, completedRows: 0 };
    const reading = { sinceMs: nowMs, seen: new Set<string>(), ...counts, lastPage: undefined };
    readings.set(name, reading);
    return reading;
  }

  async function retry(): Promise<void> {
    for (const [name, write] of unwritten) {
      try {
        await write();
        unwritten.delete(name);
      } catch (error) {
        if (isUnavailable(error)) break;
        unwritten.delete(name);
      }
    }
    if (unwritten.size > 0) schedule(retry);
  }

  function writeLater(name: string, write: () => Promise<void>): void {
    if (unwritten.size === 0) schedule(retry);
    if (unwritten.size < maxReadings) unwritten.set(name, write);
  }

  return async (context: Context, { resource, url, count, isLast, filters }: SentPage): Promise<void> => {
    const { account, credential } = context.caller;
    const name = `${account.id} ${credential.kind === 'operator' ? '' : credential.id} ${resource}`;
    const reading = findReading(name, context.environment.now().getTime());
    const page = url.length > maxUrlLength ? hash('sha256', url) : url;
    if (reading.rows <= exportRows) {
      if (reading.seen.has(page)) return;
      reading.seen.add(page);
    }
    // Reading the last page again and again is no export.
    if (!isLast || page !== reading.lastPage) reading.rows += count;
    reading.lastPage = isLast ? page : undefined;
    const { rows } = reading;
    const isComplete = isLast && rows - reading.completedRows > exportRows;
    if (rows <= Math.max(exportRows, 2 * reading.recordedRows) && !isComplete) return;
    const write = async () => {
      const { rows: recordedRows } = reading;
      const details = { rows: recordedRows - reading.recordedRows, filters };
      const act = { action: `${resource}.exported`, id: null, details } as const;
      Object.assign(reading, { recordedRows }, isLast && { completedRows: recordedRows });
      const adding = context.database.transaction({ accountId: account.id }, (tx) =>
        recordAudit(tx, context, act),
      );
      await adding.catch((error: unknown) => {
        Object.assign(reading, { recordedRows: reading.recordedRows - details.rows, completedRows: 0 });
        throw error;
      });
    };
    try {
      await write();
      unwritten.delete(name);
    } catch (error) {
      // Reads go on while the database cannot be written.
      if (!isUnavailable(error)) throw error;
      writeLater(name, write);
    }
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof SalonError && error.status === 503;
}
