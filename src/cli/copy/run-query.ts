import { type ChildProcess, fork } from 'node:child_process';
import { isSea } from 'node:sea';
import type { Fields } from '../../client/json-object.ts';
import { SalonError } from '../../contract/errors.ts';
import { isJsonNumber, parseJson } from '../../text/json.ts';
import { type Io, toProgramEnv } from '../io.ts';
import type { Column } from '../output/columns.ts';
import type { RecordPage } from '../output/command-result.ts';
import { type Message, type QueryJob, queryScript, queryVariable } from './query-script.ts';

interface Query extends QueryJob {
  /** How long the query may take, without the time in which its rows are printed. */
  readonly timeLimitMs: number;
}

type QueryIo = Pick<Io, 'env' | 'signal'>;

/** Runs a query that only reads, in a process that is killed at the time limit. Throws `usage` for what SQLite refuses. */
export async function runQuery(query: Query, io: QueryIo) {
  const messages = readMessages(query, io);
  const { columns = [] } = (await messages.next()).value ?? {};
  const names = toUniqueNames(columns);
  const toPage = ({ rows = [] }: Message): RecordPage => ({
    rows: rows.map((row): Fields => Object.fromEntries(names.map((name, index) => [name, row[index]]))),
  });
  const first = toPage((await messages.next()).value ?? {});
  async function* readPages(): AsyncGenerator<RecordPage, void> {
    yield first;
    for await (const message of messages) yield toPage(message);
  }
  // Values are shown as SQL gives them: an instant of a table stays in UTC.
  const all = names.map((key): Column => {
    const value = first.rows.map((row) => row[key]).find((one) => one !== null);
    return { key, kind: isJsonNumber(value) ? 'integer' : 'text' };
  });
  return { columns: { all, table: names }, pages: readPages() };
}

async function* readMessages({ timeLimitMs, ...job }: Query, io: QueryIo): AsyncGenerator<Message, void> {
  const child = startProcess(io);
  child.send(job);
  const chunks = child.stdout?.setEncoding('utf8').iterator();
  let leftMs = timeLimitMs;
  let rest = '';
  let isLate = false;
  const end = () => {
    isLate = child.kill('SIGKILL');
  };
  try {
    for (;;) {
      const sinceMs = performance.now();
      const timer = setTimeout(end, leftMs);
      const chunk = (await chunks?.next())?.value;
      clearTimeout(timer);
      leftMs -= performance.now() - sinceMs;
      if (chunk === undefined) throw toEarlyEnd(timeLimitMs, isLate, io);
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const message = parseJson(line) as Message;
        if (message.error !== undefined) throw new SalonError('usage', message.error);
        yield message;
        if (message.isEnd) return;
      }
    }
  } finally {
    child.kill('SIGKILL');
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

function toEarlyEnd(timeLimitMs: number, isLate: boolean, { signal }: QueryIo): SalonError {
  if (signal.aborted)
    return new SalonError('interrupted', 'Interrupted.', { members: { signal: signal.reason } });
  if (!isLate) {
    return new SalonError('output_failed', 'The process of the query was killed before it ended.', {
      hint: 'It may have needed too much memory. Select less.',
    });
  }
  return new SalonError('timeout', `The query took longer than ${timeLimitMs / 1000} seconds.`, {
    hint: 'Select less, or allow more time with --max-time.',
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
