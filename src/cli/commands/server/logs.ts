import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Command } from 'commander';
import { systemCodeOf } from '../../../bulk/jobs/file-access.ts';
import { SalonError } from '../../../contract/errors.ts';
import { readVariable } from '../../../contract/settings.ts';
import { serviceSettings } from '../../../service/config.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { columnSet } from '../../output/columns.ts';
import type { CommandResult, RecordPage } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';

interface LogFlags extends PrintFlags {
  readonly request?: string;
  readonly account?: string;
  readonly key?: string;
  readonly status?: string;
  readonly message?: string;
}

export function registerServiceLogs(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('logs')
    .argument('[files...]', 'log files, plain or gzipped; - for standard input (default: SALON_LOG_FILE)')
    .description('Search the logs of a service')
    .option('--request <id>', 'Lines of a request, e.g. req_01jd…')
    .option('--account <id>', 'Requests of an account')
    .option('--key <id>', 'Requests with an API key')
    .option('--status <status>', 'Responses with a status, e.g. 503 or 5xx')
    .option('--message <text>', 'Lines with this message, e.g. "slow statement"');
  addPrintOptions(command);
  runner.add(command, showLogs, [
    ['salon server logs /var/log/salon/salon.log --request req_01jd…', 'What happened to a request'],
    ['journalctl -u salon -o cat | salon server logs - --status 5xx', 'Failed requests, from systemd'],
    [
      'salon server logs salon.log salon.log.1.gz --message "slow statement" -c time,ms,sql',
      'Slow statements',
    ],
  ]);
}

const logColumns = {
  ...columnSet({
    ...{ time: 'instant', level: 'text', msg: 'text', method: 'text', path: 'text', status: 'integer' },
    ...{ ms: 'value', rows: 'integer', account: 'text', key: 'text', user: 'text', app: 'text' },
    ...{ address: 'text', code: 'text', reason: 'text', request_id: 'text', repeated: 'integer' },
    ...{ error: 'text', sql: 'text' },
  }),
  table: ['time', 'msg', 'method', 'path', 'status', 'ms', 'code', 'error', 'key', 'request_id'],
  optional: ['error', 'code', 'key', 'request_id'],
};

async function showLogs(
  { flags, io }: CommandContext<LogFlags>,
  given: readonly string[],
): Promise<CommandResult> {
  const named = readVariable(serviceSettings.logFile, io.env);
  const files = given.length === 0 && named ? [named] : given;
  if (files.length === 0) {
    throw new SalonError('usage', 'No log given.', {
      hint: 'Name the file of "salon server start --log-file", or - for standard input.',
    });
  }
  const { request, account, key, message } = flags;
  const filter: LogFilter = {
    ...{ request, account, key, message },
    status: flags.status === undefined ? undefined : parseStatus(flags.status),
  };
  const sources = files.map((file) => (file === '-' ? io.stdin : resolve(io.cwd, file)));
  return {
    show: 'records',
    noun: 'log lines',
    columns: logColumns,
    pages: readLogPages(sources, filter),
  };
}

function parseStatus(text: string): RegExp {
  if (/^[1-5](?:xx|\d\d)$/i.test(text)) return new RegExp(`^${text.replace(/xx$/i, '..')}$`);
  throw new SalonError('usage', `--status needs a status such as 503 or 5xx, not "${text}".`);
}

/** Which lines to show; all that are given must match. */
interface LogFilter {
  readonly request: string | undefined;
  readonly account: string | undefined;
  readonly key: string | undefined;
  readonly status: RegExp | undefined;
  readonly message: string | undefined;
}

type LogLine = Readonly<Record<string, unknown>>;

const pageSize = 200;

/**
 * Reads the matching lines of logs, one log after the other. Lines of other programs are skipped. Throws `usage`, and
 * `not_found` for a request without any line.
 */
async function* readLogPages(
  sources: readonly (string | Readable)[],
  filter: LogFilter,
): AsyncIterable<RecordPage> {
  const { request } = filter;
  let isKnown = request === undefined;
  let rows: LogLine[] = [];
  for (const source of sources) {
    for await (const text of readLines(source)) {
      const line = parseLine(text);
      if (line === undefined) continue;
      isKnown ||= line['request_id'] === request;
      if (!isWanted(line, filter)) continue;
      rows.push(toRow(line));
      if (rows.length < pageSize) continue;
      yield { rows };
      rows = [];
    }
  }
  if (isKnown) {
    yield { rows };
    return;
  }
  throw new SalonError(
    'not_found',
    `No request ${request} in ${sources.length === 1 ? 'the log' : 'the logs'}.`,
    {
      hint: 'Older requests may be in rotated log files. Search those, too.',
      members: { resource: 'request', id: request },
    },
  );
}

async function* readLines(source: string | Readable): AsyncIterable<string> {
  try {
    let rest = '';
    for await (const chunk of openLog(source)) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    yield rest;
  } catch (cause) {
    const name = typeof source === 'string' ? source : 'standard input';
    const code = systemCodeOf(cause) ?? 'unknown error';
    throw new SalonError('usage', `Cannot read the log ${name} (${code}).`, { cause });
  }
}

function openLog(source: string | Readable): Readable {
  if (typeof source !== 'string') return source.setEncoding('utf8');
  const file = createReadStream(source);
  if (!source.endsWith('.gz')) return file.setEncoding('utf8');
  const unpacked = createGunzip();
  file.on('error', (error) => unpacked.destroy(error)).pipe(unpacked);
  return unpacked.setEncoding('utf8');
}

function parseLine(text: string): LogLine | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === 'object' && line !== null && 'msg' in line ? (line as LogLine) : undefined;
  } catch {
    return undefined;
  }
}

function isWanted(line: LogLine, { request, account, key, status, message }: LogFilter): boolean {
  return (
    (request === undefined || line['request_id'] === request) &&
    (account === undefined || line['account'] === account) &&
    (key === undefined || line['key'] === key) &&
    (status === undefined || status.test(String(line['status']))) &&
    (message === undefined || String(line['msg']).includes(message))
  );
}

const levels: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error' };

/** The line with its time and level as text, and its error in short. */
function toRow({ time, level, err, ...rest }: LogLine): LogLine {
  const at = typeof time === 'number' && Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : null;
  const error =
    typeof err === 'object' && err !== null && 'message' in err ? { error: err.message, err } : {};
  return { time: at, level: levels[Number(level)] ?? String(level), ...rest, ...error };
}
