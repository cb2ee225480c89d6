import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { SalonError } from '../../../contract/errors.ts';
import type { RecordPage } from '../../output/command-result.ts';

/** Which lines to show; all that are given must match. */
export interface LogFilter {
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
export async function* readLogPages(
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
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
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
