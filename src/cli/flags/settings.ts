import { defaultRetries } from '../../client/http/retry.ts';
import { parseDurationMs, type SettingDefinition } from '../../settings.ts';
import type { Completer } from './flag.ts';
import {
  formats,
  parseConcurrency,
  parseCurrency,
  parseFormat,
  parseOpeningHours,
  parseRate,
  parseRetries,
  parseStoredCurrency,
  parseTimeZone,
} from './values.ts';

/** A setting of the command line. Its name in the table is also that of its flag in the flags of a command. */
export interface CommandLineSetting extends SettingDefinition {
  readonly complete?: Completer;
  /** The name in a profile. A variable and a flag win over it. */
  readonly profileKey?: string;
  /** Saved by `auth login` alone; `profiles set` refuses it. */
  readonly isSavedByLogin?: boolean;
  /** Whether the value of a profile is used for the origin of its base URL alone. */
  readonly belongsToServer?: boolean;
  /** Parses what the profile or the salon has, where that may be more than can be set. */
  parseStored?(text: string, name: string): unknown;
  /** The unit that `profiles show` appends to the value. */
  readonly unit?: 'ms' | '/h';
}

/**
 * All settings of the command line, by their heading in help. Those with a `profileKey` are resolved for each session; of
 * the others, commands read the flag or the variable.
 */
export const settingGroups = {
  Salon: {
    profile: {
      flag: '-p, --profile <name>',
      variable: 'SALON_PROFILE',
      help: 'Use this profile',
      complete: 'profiles',
    },
    baseUrl: {
      flag: '--base-url <url>',
      variable: 'SALON_BASE_URL',
      profileKey: 'base_url',
      isSavedByLogin: true,
      help: 'Base URL of the salon',
    },
    apiKey: { variable: 'SALON_API_KEY', isSecret: true, help: 'API key, instead of the stored sign-in' },
    apiKeyFile: { type: 'path', variable: 'SALON_API_KEY_FILE', help: 'File with the API key' },
    protected: {
      type: 'boolean',
      profileKey: 'protected',
      default: 'false',
      help: "Confirm every write with the account's name",
    },
    readOnly: { type: 'boolean', profileKey: 'read_only', default: 'false', help: 'Refuse writes' },
    timeZone: {
      flag: '--time-zone <zone>',
      variable: 'SALON_TIME_ZONE',
      profileKey: 'time_zone',
      help: "Time zone instead of the salon's, e.g. Europe/Berlin",
      parse: parseTimeZone,
    },
    currency: {
      profileKey: 'currency',
      help: 'Currency of prices, e.g. EUR',
      parse: parseCurrency,
      parseStored: parseStoredCurrency,
    },
    openingHours: {
      profileKey: 'opening_hours',
      help: 'Weekly opening hours, e.g. mon-fri 9-18',
      parse: parseOpeningHours,
    },
  },
  Output: {
    format: {
      flag: '-f, --format <format>',
      profileKey: 'format',
      choices: formats,
      help: 'Output format',
      parse: parseFormat,
    },
    json: { type: 'boolean', flag: '--json', help: 'Short for --format json' },
    plain: {
      type: 'boolean',
      flag: '--plain',
      variable: 'SALON_PLAIN',
      profileKey: 'plain',
      default: 'false',
      help: 'For screen readers: no drawn tables, no spinner',
    },
    color: { type: 'boolean', flag: '--no-color', variable: 'NO_COLOR', help: 'Print without colour' },
    forceColor: {
      variable: 'FORCE_COLOR',
      help: 'Print colour into files and pipes, too; 0 or false: never',
    },
    pager: { type: 'boolean', flag: '--no-pager', help: 'Do not use a pager for long tables' },
    pagerCommand: { variable: 'PAGER', default: 'less', help: 'Pager for long tables' },
    strict: {
      type: 'boolean',
      flag: '--strict',
      help: 'Exit with 3 if nothing proves that a list is complete and filtered',
    },
    quiet: { type: 'boolean', flag: '-q, --quiet', help: 'Print only the data' },
    verbose: { type: 'boolean', flag: '-v, --verbose', help: 'Print more messages' },
  },
  Troubleshooting: {
    debug: {
      type: 'boolean',
      flag: '--debug',
      variable: 'SALON_DEBUG',
      help: 'Show every request and response, personal data masked',
    },
    trace: {
      type: 'path',
      flag: '--trace <file>',
      help: 'Save them as an HTTP archive (HAR), personal data masked',
    },
    mask: {
      type: 'boolean',
      flag: '--no-mask',
      help: 'Keep personal data in --debug, --trace, --bundle (never keys)',
    },
    curl: { type: 'boolean', flag: '--curl', help: 'Show requests as curl commands; changes are not sent' },
  },
  Requests: {
    timeout: {
      flag: '--timeout <time>',
      profileKey: 'timeout',
      unit: 'ms',
      default: '30s',
      help: 'Time limit per request, e.g. 10s',
      parse: parseDurationMs,
    },
    retries: {
      type: 'integer',
      flag: '--retries <n>',
      profileKey: 'retries',
      default: String(defaultRetries),
      help: 'Maximum retries per request, except at a limit',
      parse: parseRetries,
    },
    maxWait: {
      flag: '--max-wait <time>',
      profileKey: 'max_wait',
      unit: 'ms',
      default: '10m',
      help: 'Maximum total waiting time, e.g. 1h',
      parse: parseDurationMs,
    },
    rate: {
      flag: '--rate <rate>',
      profileKey: 'rate',
      unit: '/h',
      help: 'Maximum request rate, e.g. 5000/h (bursts allowed)',
      parse: parseRate,
    },
    concurrency: {
      type: 'integer',
      flag: '--concurrency <n>',
      profileKey: 'concurrency',
      default: '8',
      help: 'Maximum parallel requests',
      parse: parseConcurrency,
    },
  },
  Network: {
    caFile: {
      type: 'path',
      flag: '--ca-file <file>',
      variable: 'SALON_CA_FILE',
      profileKey: 'ca_file',
      belongsToServer: true,
      help: 'Also trust these certificate authorities, as PEM',
    },
    clientCert: {
      type: 'path',
      flag: '--client-cert <file>',
      variable: 'SALON_CLIENT_CERT',
      profileKey: 'client_cert',
      belongsToServer: true,
      help: 'Client certificate, as PEM',
    },
    clientKey: {
      type: 'path',
      flag: '--client-key <file>',
      variable: 'SALON_CLIENT_KEY',
      profileKey: 'client_key',
      belongsToServer: true,
      help: 'Its private key, if not in the same file',
    },
    header: {
      type: 'list',
      flag: '--header <name: value>',
      variable: 'SALON_HEADERS',
      profileKey: 'header.<name>',
      isSecret: true,
      belongsToServer: true,
      help: 'Send a header with every request; repeatable',
    },
    httpsProxy: { variable: 'HTTPS_PROXY', help: 'Proxy for https; HTTP_PROXY and ALL_PROXY count, too' },
    noProxy: { variable: 'NO_PROXY', help: 'Servers to connect to directly' },
  },
  Server: {
    dialect: {
      type: 'map',
      flag: '--dialect <name>',
      commands: 'auth login',
      variable: 'SALON_DIALECT',
      profileKey: 'dialect',
      help: 'How the server differs: a ready-made dialect, or a JSON file',
      complete: async () => (await import('../../client/dialect/presets.ts')).presetNames,
    },
    dialectPart: {
      type: 'map',
      variable: 'SALON_DIALECT_<SETTING>',
      profileKey: 'dialect.<setting>',
      help: 'One setting of the dialect, as in docs/other-servers.md',
    },
  },
  Other: {
    webhookSecret: {
      variable: 'SALON_WEBHOOK_SECRET',
      isSecret: true,
      help: 'Signing secrets of webhooks, instead of --secret-file',
    },
    configFolder: { type: 'path', variable: 'SALON_CONFIG_DIR', help: 'Folder of profiles and aliases' },
    dataFolder: { type: 'path', variable: 'SALON_DATA_DIR', help: 'Folder of jobs and embedded salons' },
    keyring: {
      type: 'boolean',
      flag: '--no-keyring',
      commands: 'auth login',
      variable: 'SALON_NO_KEYRING',
      help: 'Store the sign-in in the profile file',
    },
    input: {
      type: 'boolean',
      flag: '--no-input',
      variable: 'SALON_NO_INPUT',
      help: 'Never prompt; fail instead (so does CI=true)',
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, CommandLineSetting>>>>;

/** Every setting by name. */
export const settingTable = {
  ...settingGroups.Salon,
  ...settingGroups.Output,
  ...settingGroups.Troubleshooting,
  ...settingGroups.Requests,
  ...settingGroups.Network,
  ...settingGroups.Server,
  ...settingGroups.Other,
};

export type SettingName = keyof typeof settingTable;

export const settingEntries = Object.entries(settingTable) as [SettingName, CommandLineSetting][];
