import { hash } from 'node:crypto';
import { exportRows } from '../../contract/audit.ts';
import { SalonError } from '../../contract/errors.ts';
import { recordAudit } from './audit.ts';
import type { Caller, Context } from './context.ts';

/** A page of a list that is about to be sent. */
export interface SentPage {
  /** The kind of record, such as `client`. */
  readonly resource: string;
  /** Identifies the page: a page that is read again does not count again. */
  readonly url: string;
  readonly count: number;
  readonly isLast: boolean;
  /** The names of the filters. Their values may be personal. */
  readonly filters: readonly string[];
}

/** Records exports: lists of which one credential reads many rows within an hour. */
export type ExportLog = (
  context: Pick<Context, 'database' | 'environment' | 'caller' | 'source'>,
  page: SentPage,
) => Promise<void>;

interface Reading {
  readonly sinceMs: number;
  readonly seen: Set<string>;
  rows: number;
  /** An entry is written when more rows than this have been read. */
  nextRows: number;
  recordedRows: number;
}

const windowMs = 3_600_000;
/** Readings kept at most; the oldest are forgotten first. */
const maxReadings = 10_000;
/** Longer addresses are kept as their digest. */
const maxUrlLength = 100;

/**
 * Creates the log of exports. Rows are counted per credential and kind of record, in this process. The first entry is
 * written before the page that exceeds the limit is sent, further ones whenever the rows have doubled and at the end.
 * While the database cannot be written, pages are sent, and a later one writes the entry.
 */
export function createExportLog(): ExportLog {
  const readings = new Map<string, Reading>();

  function findReading(name: string, nowMs: number): Reading {
    const known = readings.get(name);
    if (known !== undefined && nowMs - known.sinceMs < windowMs && nowMs >= known.sinceMs) return known;
    readings.delete(name);
    const [oldest] = readings.size >= maxReadings ? readings.keys() : [];
    if (oldest !== undefined) readings.delete(oldest);
    const reading = {
      sinceMs: nowMs,
      seen: new Set<string>(),
      rows: 0,
      nextRows: exportRows,
      recordedRows: 0,
    };
    readings.set(name, reading);
    return reading;
  }

  return async (context, { resource, url, count, isLast, filters }) => {
    const { caller, environment, database } = context;
    const reading = findReading(`${toCredentialId(caller)} ${resource}`, environment.now().getTime());
    if (reading.rows <= exportRows) {
      const page = url.length > maxUrlLength ? hash('sha256', url) : url;
      if (reading.seen.has(page)) return;
      reading.seen.add(page);
    }
    reading.rows += count;
    const { rows } = reading;
    const isDue = rows > reading.nextRows || (isLast && rows > exportRows && rows !== reading.recordedRows);
    if (!isDue) return;
    Object.assign(reading, { nextRows: rows * 2, recordedRows: rows });
    try {
      const details = { rows, filters };
      const act = { action: `${resource}.exported`, id: null, details } as const;
      await database.transaction({ accountId: caller.account.id }, (tx) => recordAudit(tx, context, act));
    } catch (error) {
      // The next page is due again.
      Object.assign(reading, { nextRows: 0, recordedRows: 0 });
      // Reads go on while the database cannot be written.
      if (!(error instanceof SalonError && error.code === 'service_unavailable')) throw error;
    }
  };
}

function toCredentialId({ account, credential }: Pick<Caller, 'account' | 'credential'>): string {
  return `${account.id} ${credential.kind === 'operator' ? '' : credential.id}`;
}
