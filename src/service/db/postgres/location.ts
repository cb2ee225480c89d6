import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { SalonError } from '../../../contract/errors.ts';

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
const parameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'host', 'application_name', 'pool_size'];

/** Enough for one process on a few cores; a server accepts 100 by default. */
const defaultPoolSize = 8;
const maxPoolSize = 100;
const defaultPort = 5432;

export function isPostgresLocation(location: string): boolean {
  return /^postgres(?:ql)?:/i.test(location);
}

/**
 * Parses `postgres://user:password@host:port/database`. Other hosts than this machine need TLS with a valid certificate
 * unless `sslmode` says otherwise. Throws `usage`, and never repeats the password.
 */
export function parsePostgresLocation(location: string) {
  // The host may be missing where a parameter names the folder of a socket.
  const text = location.replace(/^([a-z]+:\/\/[^/?#]*@)(?=\/)/i, '$1localhost');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(?:ql)?:\/\//i.test(location)) {
    throw refuse('The address of the database is not valid.');
  }
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) {
    throw refuse(`The address of the database has an unknown parameter "${unknown}".`, parameters);
  }
  const user = decode(url.username);
  const database = decode(url.pathname.slice(1)) || user;
  const host =
    url.searchParams.get('host') ?? (decode(url.hostname).replace(/^\[(.*)\]$/, '$1') || 'localhost');
  if (user === '') throw refuse('The address of the database has no user.');
  if (/[/\0]/.test(database)) throw refuse('The address of the database has no valid database name.');
  const port = url.port === '' ? defaultPort : Number(url.port);
  return {
    /** The location without its password, for messages. */
    name: `postgres://${host.includes('/') ? '' : url.host}/${database}`,
    ...{ host, port, database, user },
    /** Undefined where the environment or a trusting server decides. */
    password: url.password === '' ? undefined : decode(url.password),
    ssl: parseTls(url.searchParams, host),
    applicationName: url.searchParams.get('application_name') ?? 'salon',
    /** How many connections may read, and how many write. */
    poolSize: parsePoolSize(url.searchParams.get('pool_size')),
  };
}

/** Where a PostgreSQL database is, and how to connect to it. */
export type PostgresLocation = ReturnType<typeof parsePostgresLocation>;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse('The address of the database is not valid: write % as %25.');
  }
}

function parsePoolSize(text: string | null): number {
  const size = Number(text ?? defaultPoolSize);
  if (!Number.isInteger(size) || size < 1 || size > maxPoolSize) {
    throw refuse(`pool_size "${text}" is not a whole number from 1 to ${maxPoolSize}.`);
  }
  return size;
}

function parseTls(search: URLSearchParams, host: string): ConnectionOptions | false {
  const isLocal = host.startsWith('/') || ['localhost', '127.0.0.1', '::1'].includes(host);
  const mode = search.get('sslmode') ?? (isLocal ? 'disable' : 'verify-full');
  if (!sslModes.some((known) => known === mode)) {
    throw refuse(`sslmode "${mode}" is unknown.`, sslModes);
  }
  if (mode === 'disable') return false;
  const read = (name: string) => readCertificate(name, search.get(name));
  const [ca, cert, key] = [read('sslrootcert'), read('sslcert'), read('sslkey')];
  if (mode === 'verify-ca' && ca === undefined) throw refuse('sslmode "verify-ca" needs sslrootcert.');
  return {
    ...{ ca, cert, key },
    // As in libpq: "require" only encrypts, unless a certificate authority is given.
    ...(mode === 'require' && ca === undefined ? { rejectUnauthorized: false } : {}),
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  };
}

function readCertificate(name: string, file: string | null): string | undefined {
  if (file === null) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new SalonError('usage', `Cannot read the file of ${name}: ${file}.`, { cause });
  }
}

function refuse(message: string, known?: readonly string[]): SalonError {
  return new SalonError('usage', message, {
    hint:
      known === undefined
        ? 'Use one such as postgres://salon:password@db.example:5432/salon.'
        : `Known are ${known.join(', ')}.`,
  });
}
