import { SalonError } from '../contract/errors.ts';
import type { ServiceConfig } from './config.ts';
import { openDatabase } from './db/database.ts';
import type { Environment } from './domain/context.ts';
import { poolRandom } from './domain/random-pool.ts';
import { openAccountLimiter } from './domain/rate-limit.ts';
import { readSecretsStatus, sealPlainSecrets } from './domain/secret-rotation.ts';
import { createServer } from './http/server.ts';
import { openCredentials } from './identity/credentials.ts';
import { openIdentity } from './identity/open-identity.ts';
import type { MetricsServer } from './monitoring/metrics-server.ts';
import { openMonitoring } from './monitoring/monitoring.ts';
import { addOauth } from './oauth/routes.ts';
import { openSecrets } from './secrets/secrets.ts';
import { addDocs } from './web/docs.ts';
import { addPages } from './web/pages.ts';
import { addProblemPages } from './web/problem-pages.ts';
import { openBackgroundDelivery } from './webhooks/background-delivery.ts';
import { createAddressCheck, createHostResolver, isLoopbackHost } from './webhooks/webhook-address.ts';

/** Clock, randomness, and the log: one JSON object per line. */
export interface ServiceEnvironment extends Environment {
  readonly log: { write(line: string): unknown };
  /** Environment variables, for the key of the secrets. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A running service. */
export interface Service extends AsyncDisposable {
  /** The URL it listens on, such as `http://127.0.0.1:41234`. */
  readonly origin: string;
  /** Finishes requests in flight within the configured time and closes. May be called again. */
  close(): Promise<void>;
}

const listenTextResolver = (address: string) => `listening on ${address}`;

/** Beyond, the system drops connections, and their clients come back only after seconds. */
const maxUnacceptedConnections = 4_096;
/** How often idle connections are closed during shutdown. */
const idleCheckMs = 20;

/**
 * Opens the database and listens. Throws `usage` if the database or the address cannot be used; nothing stays open
 * then.
 */
export async function openService(config: ServiceConfig, environment: ServiceEnvironment): Promise<Service> {
  const secrets = openSecrets({ location: config.database, environment });
  const { database, unreadable, missing_keys } = await openSealedDatabase(config.database, secrets);
  const monitoring = await openMonitoring({ ...config, database, location: config.database });
  const limiter = openAccountLimiter(database, environment);
  const credentials = openCredentials({ database, environment });
  const addresses = { resolve: createHostResolver(), allowsLoopback: config.allowsLoopbackWebhooks };
  const context = {
    database,
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
    checkReadiness: monitoring.readiness.check,
  });
  // A key file that is missing is created anew, and then the former one must not simply be put in its place.
  if (unreadable > 0) app.log.warn({ unreadable, missing_keys }, 'secrets cannot be read without their key');
  addDocs(app);
  addProblemPages(app);
  const reach = () => ({
    publicUrl: config.publicUrl,
    isLoopbackOnly: isLoopbackOnly(config),
    port: Number(new URL(app.listeningOrigin).port),
  });
  const delivery = openBackgroundDelivery({ ...context, ...addresses, log: app.log });
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

  const services = { context, identity, publicUrl: config.publicUrl };
  addPages(app, services);
  addOauth(app, { services, reach });

  let scraped: MetricsServer | undefined;
  const end = async () => {
    monitoring.readiness.stop();
    try {
      await closeServer(app, config.shutdownTimeoutMs);
      await delivery.close();
      await identity.close();
      await Promise.all([limiter.close(), credentials.close(), scraped?.close()]);
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
    const backlog = maxUnacceptedConnections;
    await app.listen({ host: config.host, port: config.port, backlog, listenTextResolver });
    // The port that the operator chose for people and programs is the one to complain about first.
    scraped = await monitoring.listen(app.server);
  } catch (error) {
    const address = (app.server.listening ? config.metricsAddress : undefined) ?? config;
    await close();
    throw toListenError(error, address);
  }
  app.log.info(
    {
      ...monitoring.about,
      url: app.listeningOrigin,
      ...(scraped === undefined ? {} : { metrics: scraped.url }),
    },
    'service started',
  );
  return { origin: toReachableOrigin(app.listeningOrigin), close, [Symbol.asyncDispose]: close };
}

/** Opens a database, encrypts what an earlier version left in plain text, and counts what cannot be read. */
async function openSealedDatabase(location: string, secrets: ReturnType<typeof openSecrets>) {
  const database = await openDatabase(location);
  try {
    await sealPlainSecrets(database, secrets);
    return { database, ...(await readSecretsStatus(database.reader, secrets)) };
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

/** Closes connections as they become idle, and the others at the deadline. */
async function closeServer(app: ReturnType<typeof createServer>, timeoutMs: number): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), idleCheckMs);
  const deadline = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(deadline);
  }
}

function toListenError(error: unknown, { host, port }: Pick<ServiceConfig, 'host' | 'port'>): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return new SalonError('usage', `Port ${port} on ${host} is already in use.`, {
        hint: 'Choose another port, or 0 for any free one.',
        cause: error,
      });
    case 'EACCES':
      return new SalonError('usage', `No permission to use port ${port} on ${host}.`, {
        hint: 'Choose a port above 1023.',
        cause: error,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new SalonError('usage', `${host} is not an address of this machine.`, {
        hint: 'Use 127.0.0.1 for local access only, or 0.0.0.0 for all addresses.',
        cause: error,
      });
    default:
      return error;
  }
}
