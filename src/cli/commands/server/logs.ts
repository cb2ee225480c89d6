import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Command } from 'commander';
import { systemCodeOf } from '../../../bulk/jobs/file-access.ts';
import { SalonError } from '../../../contract/errors.ts';
import { serviceSettings } from '../../../service/config.ts';
import { readVariable } from '../../../settings.ts';
import { tryParseJson } from '../../../text/json.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { printFlags } from '../../flags/options.ts';
import { columnSet } from '../../output/columns.ts';
import type { RecordPage } from '../../output/command-result.ts';

/** Which lines to show; all that are given must match. */
const lineFlags = {
  request: { flag: '--request <id>', help: 'Lines of a request, e.g. req_01jd…' },
  account: { flag: '--account <id>', help: 'Requests of an account' },
  key: { flag: '--key <id>', help: 'Requests with an API key' },
  status: { flag: '--status <status>', help: 'Responses with a status, e.g. 503 or 5xx', parse: parseStatus },
  message: { flag: '--message <text>', help: 'Lines with this message, e.g. "slow statement"' },
} as const satisfies FlagTable;

type LineFlags = FlagValues<typeof lineFlags>;

export function registerServiceLogs(parent: Command, runner: ActionRunner): void {
  runner.define(parent.command('logs'), {
    description: 'Search the logs of a service',
    args: {
      '[files...]': {
        help: 'log files, plain or gzipped; - for standard input (default: SALON_LOG_FILE)',
      },
    },
    flags: { ...lineFlags, ...printFlags },
    examples: {
      'salon server logs /var/log/salon/salon.log --request req_01jd…': 'What happened to a request',
      'journalctl -u salon -o cat | salon server logs - --status 5xx': 'Failed requests, from systemd',
      'salon server logs salon.log salon.log.1.gz --message "slow statement" -c time,ms,sql':
        'Slow statements',
    },
    handler: async () => showLogs,
  });
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

function parseStatus(text: string, flag: string): string {
  if (/^[1-5](?:xx|\d\d)$/i.test(text)) return text;
  throw new SalonError('usage', `${flag} needs a status such as 503 or 5xx, not "${text}".`);
}

const showLogs: Handler<LineFlags> = async ({ flags, io }, given) => {
  const named = readVariable(serviceSettings.logFile, io.env);
  const files = given.length === 0 && named ? [named] : given;
  if (files.length === 0) {
    throw new SalonError('usage', 'No log given.', {
      hint: 'Name the file of "salon server start --log-file", or - for standard input.',
    });
  }
  const sources = files.map((file) => (file === '-' ? io.stdin : resolve(io.cwd, file)));
  const pages = readLogPages(sources, flags);
  return { show: 'records', noun: 'log lines', columns: logColumns, pages };
};

type LogLine = Readonly<Record<string, unknown>>;

const pageSize = 200;

/**
 * Reads the matching lines of logs, one log after the other. Lines of other programs are skipped. Throws `usage`, and
 * `not_found` for a request without any line.
 */
async function* readLogPages(
  sources: readonly (string | Readable)[],
  flags: LineFlags,
): AsyncIterable<RecordPage> {
  const { request } = flags;
  const isWanted = matchLines(flags);
  let isKnown = request === undefined;
  let rows: LogLine[] = [];
  for (const source of sources) {
    for await (const text of readLines(source)) {
      const line = parseLine(text);
      if (line === undefined) continue;
      isKnown ||= line['request_id'] === request;
      if (!isWanted(line)) continue;
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
  const logs = sources.length === 1 ? 'the log' : 'the logs';
  throw new SalonError('not_found', `No request ${request} in ${logs}.`, {
    hint: 'Older requests may be in rotated log files. Search those, too.',
    members: { resource: 'request', id: request },
  });
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
  const line = tryParseJson(text);
  return typeof line === 'object' && line !== null && 'msg' in line ? (line as LogLine) : undefined;
}

function matchLines({ request, account, key, status, message = '' }: LineFlags) {
  const equal = Object.entries({ request_id: request, account, key }).filter(
    ([, value]) => value !== undefined,
  );
  const isStatus = new RegExp(status === undefined ? '' : `^${status.replace(/xx$/i, '..')}$`);
  return (line: LogLine) =>
    equal.every(([name, value]) => line[name] === value) &&
    isStatus.test(String(line['status'])) &&
    String(line['msg']).includes(message);
}

const levels: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error' };

/** The line with its time and level as text, and its error in short. */
function toRow({ time, level, err, ...rest }: LogLine): LogLine {
  const at = typeof time === 'number' && Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : null;
  const error =
    typeof err === 'object' && err !== null && 'message' in err ? { error: err.message, err } : {};
  return { time: at, level: levels[Number(level)] ?? String(level), ...rest, ...error };
}
