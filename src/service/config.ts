import { SalonError } from '../contract/errors.ts';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof logLevels)[number];

/** How one service runs: every value checked. */
export interface ServiceConfig {
  /** Where the records are, such as `sqlite:salon.db`. */
  readonly database: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The origin that callers see, where it is not the one the service listens on. */
  readonly publicUrl?: string;
  readonly logLevel: LogLevel;
  /** How long requests in flight may go on once the service is asked to close. */
  readonly shutdownTimeoutMs: number;
}

const mostPort = 65_535;
/** A day: more than any request lasts, and still a timer Node can hold. */
const mostShutdownTimeoutMs = 86_400_000;

/**
 * Checks what flags and environment say. Only `database` has no default.
 * Throws `usage`, naming the value, when one of them cannot be used.
 */
export function parseServiceConfig(input: Readonly<Record<string, string | undefined>>): ServiceConfig {
  const publicUrl = parsePublicUrl(input['publicUrl']);
  return {
    database: parseDatabase(input['database']),
    host: parseHost(input['host'] ?? '127.0.0.1'),
    port: parseWholeNumber('port', input['port'] ?? '0', mostPort),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    logLevel: parseLogLevel(input['logLevel'] ?? 'info'),
    shutdownTimeoutMs: parseWholeNumber(
      'shutdownTimeoutMs',
      input['shutdownTimeoutMs'] ?? '10000',
      mostShutdownTimeoutMs,
    ),
  };
}

function parseDatabase(text: string | undefined): string {
  if (text === undefined || text.trim() === '') {
    throw unusable('database is missing.', 'Name one, such as sqlite:salon.db.');
  }
  return text;
}

function parseHost(text: string): string {
  // An address or a name; brackets belong to an address in a URL, not to the address itself.
  if (!/^[A-Za-z0-9.:_%-]+$/.test(text)) {
    throw unusable(`host "${text}" is not an address.`, 'Give a name or an address, such as 127.0.0.1.');
  }
  return text;
}

function parseWholeNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > most) {
    throw unusable(`${name} "${text}" is not a whole number from 0 to ${most}.`);
  }
  return value;
}

function parseLogLevel(text: string): LogLevel {
  const level = logLevels.find((known) => known === text);
  if (level === undefined) {
    throw unusable(`logLevel "${text}" is not known.`, `Choose one of ${logLevels.join(', ')}.`);
  }
  return level;
}

function parsePublicUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') {
    return undefined;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Links in answers start at the root of the origin, so a path, a query or a name would be lost without a word.
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw unusable(
      `publicUrl "${text}" is not an http or https origin.`,
      'Give scheme, host and port only, such as https://salon.example.',
    );
  }
  return url.origin;
}

function unusable(message: string, hint?: string): SalonError {
  return new SalonError('usage', message, { hint });
}
