import type { Duplex } from 'node:stream';
import { SalonError } from '../contract/errors.ts';
import type { ServiceConfig } from './config.ts';
import { openDatabase } from './db/database.ts';
import type { EngineOptions } from './db/engine.ts';
import { type Environment, poolRandom } from './domain/context.ts';
import { openAccountLimiter } from './domain/rate-limit.ts';
import { readSecretsStatus } from './domain/secret-rotation.ts';
import {
  bindPort,
  closeConnections,
  connectInside,
  drainServer,
  toListenError,
  trackSilent,
} from './http/port.ts';
import { createServer } from './http/server.ts';
import { openCredentials } from './identity/credentials.ts';
import { openIdentity } from './identity/identity.ts';
import { isTlsTurnedOff } from './identity/mail.ts';
import type { MetricsServer } from './monitoring/metrics.ts';
import { createStatementWatch, openMonitoring, watchWrites } from './monitoring/monitoring.ts';
import { openSecrets } from './secrets/secrets.ts';
import { openBackgroundDelivery } from './webhooks/background-delivery.ts';
import { createAddressCheck, createHostResolver, isLoopbackHost } from './webhooks/webhook-address.ts';

/** Clock, randomness, and the log: one JSON object per line. */
export interface ServiceEnvironment extends Environment {
  readonly log: { write(line: string): unknown };
  /** Environment variables, for the key of the secrets. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether it takes no port, and only its own process sends requests. */
  readonly isInside?: boolean;
}

/** A running service. */
export interface Service extends AsyncDisposable {
  /** The URL it listens on, such as `http://127.0.0.1:41234`; without a port if it takes none. */
  readonly origin: string;
  /** Connects to it within this process. */
  connect(): Duplex;
  /**
   * Leaves new connections to other processes on the same port, and ends its own after their next response. Resolves
   * when none is left.
   */
  drain(): Promise<void>;
  /** Finishes requests in flight within the configured time and closes. May be called again. */
  close(): Promise<void>;
}

const listenTextResolver = (address: string) => `listening on ${address}`;

/** Beyond, the system drops connections, and their clients come back only after seconds. */
const maxUnacceptedConnections = 4_096;
/** How long a connection may wait for its last request when another process takes over. */
const drainIdleMs = 15_000;

/**
 * Takes the port, opens the database and serves. Throws `usage` if the address or the database cannot be used; nothing
 * stays open then, and a database whose service has no port is not migrated.
 */
export async function openService(config: ServiceConfig, environment: ServiceEnvironment): Promise<Service> {
  const secrets = openSecrets({ location: config.database, environment });
  secrets.assertKey();
  const isMeasured = config.metricsAddress !== undefined || config.metricsToken !== undefined;
  const statements = createStatementWatch(config.logLevel === 'silent' ? 0 : config.slowQueryMs, isMeasured);
  const { host, port, metricsAddress } = config;
  const { isOfCommand = false, isInside = false } = environment;
  const bound = isInside ? undefined : await bindPort({ host, port, backlog: maxUnacceptedConnections });
  const engine = { observe: statements.observe, readsHere: isOfCommand };
  const opened = await openWatchedDatabase(config, secrets, engine).catch(async (error) => {
    await bound?.close();
    throw error;
  });
  const { database, monitoring, unreadable, missing_keys } = opened;
  const limiter = openAccountLimiter(database, environment);
  const credentials = openCredentials({ database, environment });
  const { allowsLoopbackWebhooks: allowsLoopback, webhookPorts: ports } = config;
  const addresses = { resolve: createHostResolver(), allowsLoopback, ports };
  const identity = openIdentity({
    ...config,
    environment,
    // The cause of one of our errors may quote a mail server.
    onError: (error) =>
      app.log.error(
        error instanceof SalonError ? { reason: error.message } : { err: error },
        'background work failed',
      ),
  });
  const context = {
    database,
    notify: identity.notify,
    environment: { ...environment, random: poolRandom(environment.random) },
    secrets,
    checkAddress: createAddressCheck(addresses),
  };
  const app = createServer({
    context,
    limiter,
    credentials,
    ...{ publicUrl: config.publicUrl, trustedProxies: config.trustedProxies },
    ...{ logLevel: config.logLevel, log: environment.log },
    ...{ metrics: monitoring.metrics, scrapes: monitoring.scrapes },
    ...{ checkReadiness: monitoring.readiness.check, runForRequest: statements.runFor },
  });
  const closing = { closeSilent: trackSilent(app.server), timeoutMs: config.shutdownTimeoutMs };
  statements.connect({
    metrics: monitoring.metrics,
    writeSlow: (statement) => app.log.warn(statement, 'slow statement'),
  });
  // A key file that is missing is created anew, and then the former one must not simply be put in its place.
  if (unreadable > 0) app.log.warn({ unreadable, missing_keys }, 'secrets cannot be read without their key');
  if (config.mail !== undefined && isTlsTurnedOff(config.mail.url)) {
    app.log.warn('SALON_SMTP_URL has requireTLS=false: passwords and links in mails may be sent unencrypted');
  }
  const reach = () => ({
    publicUrl: config.publicUrl,
    isLoopbackOnly: isLoopbackOnly(config),
    port: Number(new URL(app.listeningOrigin).port),
  });
  const delivery = openBackgroundDelivery({ ...context, ...addresses, log: app.log });
  const services = { context, identity, publicUrl: config.publicUrl };
  if (!isOfCommand) (await import('./oauth/web-routes.ts')).addWebRoutes(app, { services, reach });

  let scraped: MetricsServer | undefined;
  const end = async () => {
    monitoring.readiness.stop();
    try {
      using _connections = closeConnections(app.server, closing);
      await app.close();
      await delivery.close();
      await identity.close();
      await Promise.all([limiter.close(), credentials.save(), scraped?.close()]);
    } finally {
      await database.close();
    }
    app.log.info({ version: monitoring.about.version }, 'service stopped');
  };
  let ending: Promise<void> | undefined;
  const close = () => {
    ending ??= end();
    return ending;
  };

  try {
    bound?.passTo(app.server);
    await (isInside ? app.ready() : app.listen({ host, port, listenTextResolver }));
    scraped = await monitoring.listen(app.server);
  } catch (error) {
    await close();
    throw toListenError(error, metricsAddress ?? config);
  }
  const origin = isInside ? `http://${host}` : toReachableOrigin(app.listeningOrigin);
  const started = { ...monitoring.about, url: bound && app.listeningOrigin, metrics: scraped?.url };
  app.log.info(started, 'service started');
  const drain = () => drainServer(app.server, { ...closing, idleMs: drainIdleMs });
  const connect = () => connectInside(app.server);
  return { origin, connect, drain, close, [Symbol.asyncDispose]: close };
}

/** Opens a database if the port of the metrics is free, and counts the secrets that cannot be read. */
async function openWatchedDatabase(
  config: ServiceConfig,
  secrets: ReturnType<typeof openSecrets>,
  engine: EngineOptions,
) {
  const { metricsAddress } = config;
  // The primary process has that of its workers.
  if (metricsAddress !== undefined && !(await import('node:cluster')).default.isWorker)
    await (await bindPort(metricsAddress)).close();
  const { database, findWriteFailure } = watchWrites(await openDatabase(config.database, engine));
  try {
    // A command leaves that to its end.
    if (!engine.readsHere) await database.updateStatistics();
    const monitoring = await openMonitoring({
      ...config,
      ...{ database, location: config.database, findWriteFailure },
    });
    return { database, monitoring, ...(await readSecretsStatus(database.reader, secrets)) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** A service behind a proxy listens on loopback, too, but has a public URL. */
function isLoopbackOnly({ host, publicUrl }: ServiceConfig): boolean {
  const isLocalUrl = publicUrl === undefined || isLoopbackHost(new URL(publicUrl).hostname);
  return isLoopbackHost(host) && isLocalUrl;
}

/** The wildcard address is not a valid destination. */
function toReachableOrigin(origin: string): string {
  return origin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
