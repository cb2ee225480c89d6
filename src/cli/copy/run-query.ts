import { type ChildProcess, fork } from 'node:child_process';
import { accessSync } from 'node:fs';
import { isSea } from 'node:sea';
import { createUnreadableError } from '../../bulk/jobs/file-access.ts';
import type { Fields } from '../../client/json-object.ts';
import { SalonError } from '../../contract/errors.ts';
import { isJsonNumber, parseJson } from '../../text/json.ts';
import { type Io, toProgramEnv } from '../io.ts';
import type { Column, ColumnSet } from '../output/columns.ts';
import type { RecordPage } from '../output/command-result.ts';
import { queryScript, queryVariable } from './query-script.ts';

export interface Query {
  readonly file: string;
  /** A second file, whose tables are `other.<name>`. */
  readonly attached: string | undefined;
  readonly sql: string;
  /** How long the query may take, without the time in which its rows are printed. */
  readonly timeLimitMs: number;
}

/** What the process of a query sends; see `queryScript`. */
interface Message {
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly unknown[])[];
  readonly isEnd?: true;
  readonly error?: string;
  /** Whether the error is one of the query, not of its file. */
  readonly isOpen?: boolean;
  readonly isRefused?: boolean;
}

type QueryIo = Pick<Io, 'env' | 'signal'>;

/** Runs a query that only reads, in a process that is killed at the time limit. Throws `usage` for what SQLite refuses. */
export async function runQuery(query: Query, io: QueryIo) {
  for (const file of [query.file, query.attached]) if (file !== undefined) assertReadable(file);
  const messages = readMessages(query, io);
  const { columns: given = [] } = await readNext(messages);
  const names = toUniqueNames(given);
  const first = toRows(names, (await readNext(messages)).rows);
  async function* readPages(): AsyncGenerator<RecordPage, void> {
    yield { rows: first };
    for await (const { rows } of messages) yield { rows: toRows(names, rows) };
  }
  return { columns: toColumnSet(names, first), pages: readPages() };
}

function assertReadable(file: string): void {
  try {
    accessSync(file);
  } catch (error) {
    throw createUnreadableError(file, error);
  }
}

async function readNext(messages: AsyncGenerator<Message, void>): Promise<Message> {
  const { value } = await messages.next();
  return value ?? {};
}

async function* readMessages(query: Query, io: QueryIo): AsyncGenerator<Message, void> {
  const child = startProcess(io);
  const { stdout } = child;
  const stop = () => child.kill('SIGKILL');
  try {
    const { timeLimitMs, ...job } = query;
    child.send(job);
    for await (const line of readLines(stdout?.setEncoding('utf8') ?? [], { timeLimitMs, stop })) {
      const message = parseJson(line) as Message;
      if (message.error !== undefined) throw toQueryError(message.error, message, query);
      yield message;
      if (message.isEnd) return;
    }
    if (io.signal.aborted)
      throw new SalonError('interrupted', 'Interrupted.', { members: { signal: io.signal.reason } });
    throw new SalonError('output_failed', 'The process of the query was killed before it ended.', {
      hint: 'It may have needed too much memory. Select less.',
    });
  } finally {
    stop();
  }
}

function startProcess({ env, signal }: QueryIo): ChildProcess {
  const child = fork('query', [], {
    env: { ...toProgramEnv(env), ...(isSea() ? { [queryVariable]: '1' } : {}) },
    execArgv: isSea() ? [] : ['--eval', queryScript, '--'],
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    signal,
    killSignal: 'SIGKILL',
  });
  // What it cannot send or receive ends its output.
  return child.on('error', () => {});
}

/** The lines of a text. Calls `stop` and throws `timeout` once waiting for them has taken too long. */
async function* readLines(
  text: AsyncIterable<string> | Iterable<string>,
  { timeLimitMs, stop }: { readonly timeLimitMs: number; readonly stop: () => void },
): AsyncGenerator<string, void> {
  let leftMs = timeLimitMs;
  let rest = '';
  const chunks = (async function* () {
    yield* text;
  })();
  for (;;) {
    const sinceMs = performance.now();
    let isLate = false;
    const timer = setTimeout(
      () => {
        isLate = true;
        stop();
      },
      Math.max(1, leftMs),
    );
    const { value: chunk, done } = await chunks.next().finally(() => clearTimeout(timer));
    leftMs -= performance.now() - sinceMs;
    if (isLate) {
      throw new SalonError('timeout', `The query took longer than ${timeLimitMs / 1000} seconds.`, {
        hint: 'Select less, or allow more time with --max-time.',
      });
    }
    if (done) return;
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

function toQueryError(text: string, { isOpen, isRefused }: Message, query: Query): SalonError {
  if (isRefused) {
    return new SalonError('usage', `The query was refused: ${text}.`, {
      hint: 'salon sql only reads: one SELECT, or WITH … SELECT.',
    });
  }
  if (isOpen) return new SalonError('usage', `The query failed: ${text.replace(/\.$/, '')}.`);
  const files = query.attached === undefined ? query.file : `${query.file} and ${query.attached}`;
  return new SalonError('usage', `Cannot read ${files}: ${text}.`, {
    hint: 'Name a copy that "salon sync" made.',
  });
}

/** Columns may have the same name, as in a join; the later ones get a number. */
function toUniqueNames(names: readonly string[]): readonly string[] {
  const used = new Set<string>();
  for (const name of names) {
    let unique = name;
    for (let number = 2; used.has(unique); number += 1) unique = `${name}_${number}`;
    used.add(unique);
  }
  return [...used];
}

function toRows(names: readonly string[], rows: Message['rows'] = []): readonly Fields[] {
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
}

/** Values are shown as SQL gives them: an instant of a table stays in UTC. */
function toColumnSet(names: readonly string[], rows: readonly Fields[]): ColumnSet {
  const all = names.map((key): Column => {
    const value = rows.map((row) => row[key]).find((one) => one !== null);
    return { key, kind: isJsonNumber(value) ? 'integer' : 'text' };
  });
  return { all, table: names };
}
