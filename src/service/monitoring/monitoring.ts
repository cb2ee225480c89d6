import type { Server } from 'node:http';
import { resolve } from 'node:path';
import packageFile from '../../../package.json' with { type: 'json' };
import { type Database, readEngineVersion } from '../db/database.ts';
import { countPending } from '../db/deliveries/delivery-queue.ts';
import { createMetrics, type ListenAddress, openMetricsServer } from './metrics.ts';
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
