import { isIP } from 'node:net';
import { SalonError } from '../contract/errors.ts';

const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;

type LogLevel = (typeof logLevels)[number];

/** The validated configuration of a service. */
export interface ServiceConfig {
  /** The database, such as `sqlite:salon.db`. */
  readonly database: string;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The origin that clients use, if it differs from the one the service listens on. */
  readonly publicUrl?: string;
  /** Addresses and ranges of proxies whose `X-Forwarded-For` names the client. */
  readonly trustedProxies?: readonly string[];
  readonly logLevel: LogLevel;
  /** Statements that take longer are logged; 0 for none. */
  readonly slowQueryMs: number;
  readonly metricsAddress?: { readonly host: string; readonly port: number };
  /** Serves metrics at `/metrics` to requests with this bearer token. */
  readonly metricsToken?: string;
  /** Whether webhooks may be sent to this machine, also without TLS. */
  readonly allowsLoopbackWebhooks: boolean;
  /** Ports of webhooks besides 443 and 8000 to 8999. */
  readonly webhookPorts?: readonly number[];
  /** How long requests in flight may take during shutdown. */
  readonly shutdownTimeoutMs: number;
  /** The mail server for invitations and resets. */
  readonly mail?: { readonly url: string; readonly from: string };
  /** Lower in tests alone. */
  readonly passwordCost?: { readonly memoryKib: number; readonly passes: number; readonly lanes: number };
}

const maxPort = 65_535;
/** A day: longer than any request, and within the range of Node's timers. */
const longestTimeMs = 86_400_000;

/**
 * Parses the values of flags and environment variables. Only `database` is required.
 * Throws `usage` with the name of an invalid value.
 */
export function parseServiceConfig(input: Readonly<Record<string, string | undefined>>): ServiceConfig {
  const publicUrl = parsePublicUrl(input['publicUrl']);
  const trustedProxies = parseTrustedProxies(input['trustedProxies']);
  const mail = parseMail(input['smtpUrl'], input['mailFrom']);
  const metricsAddress = parseMetricsAddress(input['metrics']);
  const metricsToken = parseMetricsToken(input['metricsToken']);
  const webhookPorts = (input['webhookPorts'] || undefined)
    ?.split(',')
    .map((text) => parseWholeNumber('webhookPorts', text.trim(), maxPort));
  return {
    database: parseDatabase(input['database']),
    host: parseHost(input['host'] ?? '127.0.0.1'),
    port: parseWholeNumber('port', input['port'] ?? '0', maxPort),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(trustedProxies.length === 0 ? {} : { trustedProxies }),
    ...(mail === undefined ? {} : { mail }),
    logLevel: parseLogLevel(input['logLevel'] ?? 'info'),
    slowQueryMs: parseWholeNumber('slowQueryMs', input['slowQueryMs'] ?? '1000', longestTimeMs),
    ...(metricsAddress === undefined ? {} : { metricsAddress }),
    ...(metricsToken === undefined ? {} : { metricsToken }),
    allowsLoopbackWebhooks: input['allowsLoopbackWebhooks'] === 'true',
    ...(webhookPorts === undefined ? {} : { webhookPorts }),
    shutdownTimeoutMs: parseWholeNumber(
      'shutdownTimeoutMs',
      input['shutdownTimeoutMs'] ?? '10000',
      longestTimeMs,
    ),
  };
}

function parseDatabase(text: string | undefined): string {
  if (text === undefined || text.trim() === '') {
    throw invalidConfig('database is missing.', 'Set one, such as sqlite:salon.db.');
  }
  return text;
}

function parseHost(text: string): string {
  // A name or an address, without the brackets of a URL.
  if (!/^[A-Za-z0-9.:_%-]+$/.test(text)) {
    throw invalidConfig(`host "${text}" is not a host name or address.`, 'Use one such as 127.0.0.1.');
  }
  return text;
}

function parseWholeNumber(name: string, text: string, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > max) {
    throw invalidConfig(`${name} "${text}" must be a whole number from 0 to ${max}.`);
  }
  return value;
}

function parseMetricsAddress(text: string | undefined): ServiceConfig['metricsAddress'] {
  if (text === undefined) return undefined;
  const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?([^:]*)$/.exec(text) ?? [];
  return {
    host: parseHost(host.replace(/^\[(.*)\]$/, '$1')),
    port: parseWholeNumber('metrics', port, maxPort),
  };
}

const leastTokenLength = 16;

/** Parses SALON_METRICS_TOKEN, which is not repeated. */
function parseMetricsToken(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (text.length >= leastTokenLength && /^[!-~]+$/.test(text)) return text;
  throw invalidConfig(
    `SALON_METRICS_TOKEN must have at least ${leastTokenLength} visible ASCII characters.`,
    'Create one: openssl rand -hex 24',
  );
}

function parseLogLevel(text: string): LogLevel {
  const level = logLevels.find((known) => known === text);
  if (level === undefined) {
    throw invalidConfig(`logLevel "${text}" is unknown.`, `Use one of ${logLevels.join(', ')}.`);
  }
  return level;
}

/** Parses the origin that clients use. Throws `usage`. */
export function parsePublicUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === '') {
    return undefined;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Links start at the root of the origin, so a path or query would be lost.
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw invalidConfig(
      `publicUrl "${text}" is not an http or https origin.`,
      'Use scheme, host and port only, such as https://salon.example.',
    );
  }
  return url.origin;
}

/** Parses SALON_SMTP_URL and SALON_MAIL_FROM. The URL may contain a password, so it is not repeated. */
export function parseMail(url: string | undefined, from: string | undefined): ServiceConfig['mail'] {
  if (url === undefined || url === '') return undefined;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '') {
    throw invalidConfig(
      'SALON_SMTP_URL is not the address of a mail server.',
      'For example smtps://user:password@mail.example.',
    );
  }
  if (from === undefined || !/^[^\s<>@,]+@[^\s<>@,]+$/.test(from)) {
    throw invalidConfig(
      'SALON_MAIL_FROM is not an email address.',
      'Set the sender address, such as salon@salon.example.',
    );
  }
  return { url, from };
}

/** Addresses and ranges, separated by commas; `loopback` for those of this machine. */
function parseTrustedProxies(text = ''): readonly string[] {
  const proxies = text.split(',').map((part) => part.trim());
  if (proxies.every((proxy) => proxy === '')) return [];
  for (const proxy of proxies) {
    const [address = '', bits = '1', ...rest] = proxy.split('/');
    const max = isIP(address) === 4 ? 32 : 128;
    const isRange =
      isIP(address) !== 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= max && rest.length === 0;
    if (proxy === 'loopback' || isRange) continue;
    throw invalidConfig(
      `trustedProxies "${proxy}" is not an IP address or range.`,
      'Use addresses such as 10.0.0.5, ranges such as 10.0.0.0/8, or loopback.',
    );
  }
  return proxies;
}

function invalidConfig(message: string, hint?: string): SalonError {
  return new SalonError('usage', message, { hint });
}
