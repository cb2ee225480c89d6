import { SalonError } from '../contract/errors.ts';
import type { ServiceConfig } from './config.ts';
import { type Database, openDatabase } from './db/database.ts';
import type { Environment } from './domain/context.ts';
import { openAccountLimiter } from './domain/rate-limit.ts';
import { createServer } from './http/server.ts';
import { addDocs } from './web/docs.ts';
import { addProblemPages } from './web/problem-pages.ts';
import { openBackgroundDelivery } from './webhooks/background-delivery.ts';
import { createAddressCheck, createHostResolver, isLoopbackHost } from './webhooks/webhook-address.ts';

/** The world around a service: clock, randomness, and where its log goes, a JSON object a line. */
export interface ServiceEnvironment extends Environment {
  readonly log: { write(line: string): unknown };
}

/** A service that answers. */
export interface Service extends AsyncDisposable {
  /** Where it listens, such as `http://127.0.0.1:41234`. */
  readonly origin: string;
  /** Lets what is in flight finish, as long as the configuration allows, and ends. May be called again. */
  close(): Promise<void>;
}

/** How often connections that have become idle are looked for while closing. */
const idleCheckMs = 20;

/**
 * Opens the database and listens. Throws `usage` where the database or the address cannot be used, and leaves
 * nothing open then.
 */
export async function openService(config: ServiceConfig, environment: ServiceEnvironment): Promise<Service> {
  const database = await openDatabase(config.database);
  const limiter = openAccountLimiter(database, environment);
  const addresses = { resolve: createHostResolver(), allowsLoopback: isForThisMachineAlone(config) };
  const context = {
    database,
    environment,
    checkAddress: createAddressCheck(addresses),
  };
  const app = createServer({
    context,
    limiter,
    publicUrl: config.publicUrl,
    logLevel: config.logLevel,
    log: environment.log,
    isReady: () => isReady(database),
  });
  addDocs(app);
  addProblemPages(app);
  const delivery = openBackgroundDelivery({ ...context, ...addresses, log: app.log });

  const end = async () => {
    try {
      await closeServer(app, config.shutdownTimeoutMs);
      await delivery.close();
      await limiter.close();
    } finally {
      await database.close();
    }
  };
  let ending: Promise<void> | undefined;
  const close = () => {
    ending ??= end();
    return ending;
  };

  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await close();
    throw toListenError(error, config);
  }
  return { origin: toReachable(app.listeningOrigin), close, [Symbol.asyncDispose]: close };
}

/** Behind a proxy a service listens on loopback too, and those who call it are strangers all the same. */
function isForThisMachineAlone({ host, publicUrl }: ServiceConfig): boolean {
  const isCalledHere = publicUrl === undefined || isLoopbackHost(new URL(publicUrl).hostname);
  return isLoopbackHost(host) && isCalledHere;
}

/** Every address of the machine is listened on under a name that cannot be called. */
function toReachable(origin: string): string {
  return origin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

async function isReady(database: Database): Promise<boolean> {
  try {
    await database.reader.selectFrom('accounts').select('id').limit(1).execute();
    return true;
  } catch {
    return false;
  }
}

/** Connections close as they fall idle; those still busy at the deadline are cut. */
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

function toListenError(error: unknown, { host, port }: ServiceConfig): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return new SalonError('usage', `Port ${port} on ${host} is taken.`, {
        hint: 'Choose another port, or 0 for any.',
        cause: error,
      });
    case 'EACCES':
      return new SalonError('usage', `Port ${port} on ${host} may not be used by this user.`, {
        hint: 'Choose a port above 1023.',
        cause: error,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new SalonError('usage', `${host} is not an address of this machine.`, {
        hint: 'Choose 127.0.0.1 for this machine alone, or 0.0.0.0 for every address.',
        cause: error,
      });
    default:
      return error;
  }
}
