import { isIP } from 'node:net';
import { SalonError } from '../contract/errors.ts';
import {
  type EnvironmentVariables,
  type FlagsOf,
  isSwitchedOn,
  parseDurationMs,
  readSetting,
  type SettingDefinition,
} from '../settings.ts';

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
  readonly publicUrl?: string | undefined;
  /** Addresses and ranges of proxies whose `X-Forwarded-For` names the client. */
  readonly trustedProxies?: readonly string[] | undefined;
  readonly logLevel: LogLevel;
  /** Statements that take longer are logged; 0 for none. */
  readonly slowQueryMs: number;
  readonly metricsAddress?: { readonly host: string; readonly port: number } | undefined;
  /** Serves metrics at `/metrics` to requests with this bearer token. */
  readonly metricsToken?: string | undefined;
  /** Whether webhooks may be sent to this machine, also without TLS. */
  readonly allowsLoopbackWebhooks: boolean;
  /** Ports of webhooks besides 443 and 8000 to 8999. */
  readonly webhookPorts?: readonly number[] | undefined;
  /** How many processes share the port; undefined for one that has it alone. */
  readonly workers?: number | undefined;
  readonly logFile?: string | undefined;
  /** How long requests in flight may take during shutdown. */
  readonly shutdownTimeoutMs: number;
  /** The mail server for invitations and resets. */
  readonly mail?: { readonly url: string; readonly from: string } | undefined;
  /** Lower in tests alone. */
  readonly passwordCost?: { readonly memoryKib: number; readonly passes: number; readonly lanes: number };
}

/** All settings of a service, in the order of help. */
export const serviceSettings = {
  port: {
    flag: '--port <n>',
    default: '8080',
    help: 'Port to listen on; 0 picks a free one',
    parse: parsePort,
  },
  host: { flag: '--host <address>', default: '127.0.0.1', help: 'Address to listen on', parse: parseHost },
  publicUrl: { flag: '--public-url <url>', help: 'Public URL, if behind a proxy', parse: parsePublicUrl },
  trustedProxies: {
    flag: '--trusted-proxies <a,b>',
    help: 'Proxies whose X-Forwarded-For to trust, e.g. loopback',
    parse: parseTrustedProxies,
  },
  workers: {
    flag: '--workers <n>',
    help: 'Processes that share the port; SIGUSR2 replaces them one by one',
    parse: (text: string, name: string) => parseWholeNumber(text, name, { least: 1, most: 64 }),
  },
  allowLoopbackWebhooks: {
    type: 'boolean',
    flag: '--allow-loopback-webhooks',
    help: 'Allow webhooks to this machine, over https or http',
  },
  allowWebhookPorts: {
    flag: '--allow-webhook-ports <a,b>',
    variable: 'SALON_ALLOW_WEBHOOK_PORTS',
    help: 'Webhook ports besides 443 and 8000–8999',
    parse: parsePorts,
  },
  logLevel: {
    flag: '--log-level <level>',
    choices: logLevels,
    default: 'info',
    help: 'Log level',
    parse: parseLogLevel,
  },
  logFile: {
    type: 'path',
    flag: '--log-file <file>',
    variable: 'SALON_LOG_FILE',
    help: 'Log to a file; SIGHUP reopens it',
  },
  slowQuery: {
    flag: '--slow-query <time>',
    default: '1s',
    help: 'Log database statements that take longer; 0s: off',
    parse: parseDurationMs,
  },
  metrics: {
    flag: '--metrics <[host:]port>',
    help: 'Serve Prometheus metrics on a separate port',
    parse: parseMetricsAddress,
  },
  database: {
    flag: '--database <location>',
    help: "Database: sqlite:salon.db or postgres://… (default: the profile's embedded salon)",
    parse: parseDatabase,
  },
  metricsToken: {
    variable: 'SALON_METRICS_TOKEN',
    isSecret: true,
    help: 'Token that reads /metrics of the service',
    parse: parseMetricsToken,
  },
  secretsKey: {
    variable: 'SALON_SECRETS_KEY',
    isSecret: true,
    help: 'Keys that encrypt stored secrets; the first encrypts, all decrypt',
  },
  smtpUrl: {
    variable: 'SALON_SMTP_URL',
    isSecret: true,
    help: 'Mail server for invitations and resets',
    parse: parseMailServer,
  },
  mailFrom: { variable: 'SALON_MAIL_FROM', help: 'Sender of mails', parse: parseSender },
} as const satisfies Readonly<Record<string, SettingDefinition>>;

/** The flags of a service, as texts. */
export type ServiceFlags = FlagsOf<typeof serviceSettings>;

/** Parses flags and environment variables. Only `database` is required. Throws `usage`, naming the invalid one. */
export function parseServiceConfig(flags: ServiceFlags, env: EnvironmentVariables = {}): ServiceConfig {
  const { allowLoopbackWebhooks } = serviceSettings;
  const read = <Name extends Exclude<keyof ServiceFlags, 'allowLoopbackWebhooks'>>(name: Name) =>
    readSetting(serviceSettings[name], flags[name], env);
  return {
    database: read('database') ?? parseDatabase('', '--database'),
    host: read('host'),
    port: read('port'),
    publicUrl: read('publicUrl'),
    trustedProxies: read('trustedProxies'),
    mail: readMail(env),
    logLevel: read('logLevel'),
    slowQueryMs: read('slowQuery'),
    metricsAddress: read('metrics'),
    metricsToken: readSetting(serviceSettings.metricsToken, undefined, env),
    allowsLoopbackWebhooks: isSwitchedOn(allowLoopbackWebhooks, flags.allowLoopbackWebhooks, env),
    webhookPorts: read('allowWebhookPorts'),
    workers: read('workers'),
    logFile: read('logFile') || undefined,
    shutdownTimeoutMs: 10_000,
  };
}

/** The mail server and the sender, from the environment; undefined without one. Throws `usage`. */
export function readMail(env: EnvironmentVariables): ServiceConfig['mail'] {
  const url = readSetting(serviceSettings.smtpUrl, undefined, env);
  if (url === undefined) return undefined;
  const { mailFrom } = serviceSettings;
  return { url, from: readSetting(mailFrom, undefined, env) ?? parseSender('', mailFrom.variable) };
}

const maxPort = 65_535;

function parseDatabase(text: string, name: string): string {
  if (text.trim() === '') throw invalidConfig(`${name} is missing.`, 'Set one, such as sqlite:salon.db.');
  return text;
}

function parseHost(text: string, name: string): string {
  // A name or an address, without the brackets of a URL.
  if (!/^[A-Za-z0-9.:_%-]+$/.test(text)) {
    throw invalidConfig(`${name} "${text}" is not a host name or address.`, 'Use one such as 127.0.0.1.');
  }
  return text;
}

function parseWholeNumber(
  text: string,
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw invalidConfig(`${name} "${text}" must be a whole number from ${least} to ${most}.`);
}

function parsePort(text: string, name: string): number {
  return parseWholeNumber(text, name, { least: 0, most: maxPort });
}

function parsePorts(text: string, name: string): readonly number[] | undefined {
  return text === '' ? undefined : text.split(',').map((port) => parsePort(port.trim(), name));
}

function parseMetricsAddress(text: string, name: string): ServiceConfig['metricsAddress'] {
  const [, host = '127.0.0.1', port = ''] = /^(?:(.+):)?([^:]*)$/.exec(text) ?? [];
  return { host: parseHost(host.replace(/^\[(.*)\]$/, '$1'), name), port: parsePort(port, name) };
}

const minTokenLength = 16;

/** The token is not repeated in errors. */
function parseMetricsToken(text: string, name: string): string {
  if (text.length >= minTokenLength && /^[!-~]+$/.test(text)) return text;
  throw invalidConfig(
    `${name} must have at least ${minTokenLength} visible ASCII characters.`,
    'Create one: openssl rand -hex 24',
  );
}

function parseLogLevel(text: string, name: string): LogLevel {
  const level = logLevels.find((known) => known === text);
  if (level === undefined) {
    throw invalidConfig(`${name} "${text}" is unknown.`, `Use one of ${logLevels.join(', ')}.`);
  }
  return level;
}

/** Parses the origin that clients use. Throws `usage`. */
export function parsePublicUrl(text: string, name: string): string | undefined {
  if (text === '') return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Links start at the root of the origin, so a path or query would be lost.
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw invalidConfig(
      `${name} "${text}" is not an http or https origin.`,
      'Use scheme, host and port only, such as https://salon.example.',
    );
  }
  return url.origin;
}

/** The URL may contain a password, so it is not repeated in errors. */
function parseMailServer(url: string, name: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed !== undefined && /^smtps?:$/.test(parsed.protocol) && parsed.hostname !== '') {
    if (/^(\?requireTLS=(true|false))?$/.test(parsed.search)) return url;
    throw invalidConfig(`${name} has an unknown parameter.`, 'Use ?requireTLS=false or none.');
  }
  throw invalidConfig(
    `${name} is not the address of a mail server.`,
    'For example smtps://user:password@mail.example.',
  );
}

function parseSender(from: string, name: string): string {
  if (/^[^\s<>@,]+@[^\s<>@,]+$/.test(from)) return from;
  throw invalidConfig(
    `${name} is not an email address.`,
    'Set the sender address, such as salon@salon.example.',
  );
}

/** Addresses and ranges, separated by commas; `loopback` for those of this machine. */
function parseTrustedProxies(text: string, name: string): readonly string[] | undefined {
  const proxies = text.split(',').map((part) => part.trim());
  if (proxies.every((proxy) => proxy === '')) return undefined;
  for (const proxy of proxies) {
    const [address = '', bits = '1', ...rest] = proxy.split('/');
    const max = isIP(address) === 4 ? 32 : 128;
    const isRange =
      isIP(address) !== 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= max && rest.length === 0;
    if (proxy === 'loopback' || isRange) continue;
    throw invalidConfig(
      `${name} "${proxy}" is not an IP address or range.`,
      'Use addresses such as 10.0.0.5, ranges such as 10.0.0.0/8, or loopback.',
    );
  }
  return proxies;
}

function invalidConfig(message: string, hint?: string): SalonError {
  return new SalonError('usage', message, { hint });
}
