import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:http';
import { resolve } from 'node:path';
import packageFile from '../../../package.json' with { type: 'json' };
import { SalonError } from '../../contract/errors.ts';
import { type Database, readEngineVersion } from '../db/database.ts';
import { countPending } from '../db/deliveries/delivery-queue.ts';
import type { RanStatement } from '../db/engine.ts';
import { createMetrics, type ListenAddress, type Metrics, openMetricsServer } from './metrics.ts';
import { createReadiness, readFreeBytes } from './readiness.ts';

/** More are trouble, and would take long to count. */
const maxPendingCounted = 10_000;

interface MonitoringOptions {
  readonly database: Database;
  /** Why the latest write was not possible. */
  readonly findWriteFailure: () => string | undefined;
  /** The database as configured. */
  readonly location: string;
  readonly metricsAddress?: ListenAddress | undefined;
  /** The token of `/metrics`. */
  readonly metricsToken?: string | undefined;
}

/** Creates what monitoring needs. Metrics and their library are loaded only where they are asked for. */
export async function openMonitoring(options: MonitoringOptions) {
  const { database, location, metricsAddress, metricsToken } = options;
  const file = toFile(location);
  const readiness = createReadiness({ database, file, findWriteFailure: options.findWriteFailure });
  const about = {
    version: packageFile.version,
    database: toShownLocation(location),
    engine: await readVersion(database),
  };
  let listening: Server | undefined;
  const isWanted = metricsAddress !== undefined || metricsToken !== undefined;
  const metrics = isWanted
    ? await createMetrics({
        ...about,
        checkReadiness: readiness.check,
        values: [
          {
            name: 'salon_http_connections',
            help: 'Open connections.',
            isOfProcess: true,
            read: async () => (listening === undefined ? 0 : countConnections(listening)),
          },
          {
            name: 'salon_webhook_deliveries_pending',
            help: `Pending webhook deliveries, counted up to ${maxPendingCounted}.`,
            read: () => countPending(database.reader, maxPendingCounted),
          },
          { name: 'salon_database_bytes', help: 'Size of the database.', read: () => database.readBytes() },
          {
            name: 'salon_disk_free_bytes',
            help: 'Free disk space for the SQLite database.',
            read: async () => (file === undefined ? undefined : readFreeBytes(file)),
          },
        ],
      })
    : undefined;
  return {
    /** For the line in the log at the start. Contains no passwords. */
    about,
    readiness,
    /** Undefined unless they are enabled. */
    metrics,
    scrapes: metrics && metricsToken ? { metrics, token: metricsToken } : undefined,
    /**
     * Serves metrics of a server on their own port, if there is one; in a worker, the primary process serves those of all.
     * Throws what listening throws.
     */
    async listen(server: Server) {
      listening = server;
      if (metrics === undefined || metricsAddress === undefined) return undefined;
      const { default: cluster } = await import('node:cluster');
      if (!cluster.isWorker) return openMetricsServer(metrics, metricsAddress);
      metrics.share();
      return undefined;
    },
  };
}

async function readVersion({ kind, reader }: Database): Promise<string> {
  if (kind === 'sqlite') return readEngineVersion();
  const [row] = await reader.run<{ server_version: string }>('show server_version', []);
  return `PostgreSQL ${row?.server_version.split(' ')[0] ?? ''}`;
}

/** The file of a SQLite database. */
function toFile(location: string): string | undefined {
  const [, scheme = 'sqlite', path = ''] = /^(?:([a-z][a-z0-9+.-]+):)?(.*)$/is.exec(location) ?? [];
  return scheme.toLowerCase() === 'sqlite' ? resolve(path) : undefined;
}

/** A location without user, password and parameters. */
function toShownLocation(location: string): string {
  return location.replace(/^(\w+:\/\/)(?:.*@)?([^?#]*).*$/s, '$1$2');
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

/** What statements are reported to. */
interface Listener {
  readonly metrics: Metrics | undefined;
  /** Writes a line of the log about a statement that took long. */
  writeSlow(line: object): void;
}

const maxTextLength = 2000;

/**
 * Counts statements, and logs those that take at least `slowMs` (0 for none) with the request that they belong to, if it
 * is not background work.
 */
export function createStatementWatch(slowMs: number, isCounting: boolean) {
  const requests = new AsyncLocalStorage<string>();
  let listener: Listener | undefined;

  function observe({ text, ms, rows }: RanStatement): void {
    listener?.metrics?.countStatement(ms);
    if (slowMs === 0 || ms < slowMs) return;
    const sql = text.replaceAll(/\s+/g, ' ').trim().slice(0, maxTextLength);
    listener?.writeSlow({ request_id: requests.getStore(), ms: Math.round(ms), rows, sql });
  }

  const runFor = (requestId: string, act: () => void) => requests.run(requestId, act);
  return {
    /** For the database; undefined if nothing is to be watched. */
    observe: slowMs > 0 || isCounting ? observe : undefined,
    /** Runs what belongs to a request; undefined if no line of the log would name the request. */
    runFor: slowMs > 0 ? runFor : undefined,
    /** The database opens before the log does. */
    connect(given: Listener) {
      listener = given;
    },
  };
}

/** A database whose writes are watched: `findWriteFailure` says why the latest was not possible; undefined if it was. */
export function watchWrites(database: Database) {
  let failure: string | undefined;
  const watched: Database = {
    ...database,
    async transaction(lock, body) {
      try {
        const result = await database.transaction(lock, body);
        failure = undefined;
        return result;
      } catch (error) {
        if (error instanceof SalonError && error.status === 503) failure = error.message;
        throw error;
      }
    },
  };
  return { database: watched, findWriteFailure: () => failure };
}
