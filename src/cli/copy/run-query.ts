import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { isSea } from 'node:sea';
import type { Fields } from '../../client/json-object.ts';
import { SalonError } from '../../contract/errors.ts';
import { isJsonNumber, parseJson } from '../../text/json.ts';
import { type Io, toProgramEnv } from '../io.ts';
import type { Column } from '../output/columns.ts';
import type { CommandResult, RecordPage } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import { type Message, type QueryJob, queryScript, queryVariable } from './query-script.ts';

interface SqlFlags {
  readonly attach?: string;
  readonly maxTime: number;
}

interface Query extends QueryJob {
  /** How long the query may take, without the time in which its rows are printed. */
  readonly timeLimitMs: number;
}

type QueryProcess = ReturnType<typeof startProcess>;

/** Starts the process for a query, while the command loads the rest. Returns the function that runs the query in it. */
export function startQuery({ io, resources }: { readonly io: Io; readonly resources: AsyncDisposableStack }) {
  const started = resources.use(startProcess(io));
  return async (
    context: CommandContext<SqlFlags>,
    first: string,
    second?: string,
  ): Promise<CommandResult> => {
    const { attach, maxTime } = context.flags;
    const file =
      second === undefined
        ? await (await import('./last-copy.ts')).findLastCopy(context)
        : resolve(io.cwd, first);
    const attached = attach === undefined ? undefined : resolve(io.cwd, attach);
    const [result] = await Promise.all([
      runQuery({ file, attached, sql: second ?? first, timeLimitMs: maxTime }, started),
      // What prints the rows is loaded while the query runs.
      context.session(),
      import('../output/print-records.ts'),
    ]);
    return { show: 'records', noun: 'rows', ...result };
  };
}

/** Starts a process that waits for one query. */
function startProcess({ env, executable, signal }: Pick<Io, 'env' | 'executable' | 'signal'>) {
  const child = spawn(executable, isSea() ? [] : ['--eval', queryScript], {
    env: { ...toProgramEnv(env), ...(isSea() ? { [queryVariable]: '1' } : {}) },
    stdio: ['pipe', 'pipe', 'ignore'],
    signal,
    killSignal: 'SIGKILL',
  });
  // A process that fails is noticed when its output ends early.
  for (const part of [child, child.stdin]) part.on('error', () => {});
  return { child, signal, [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

/** Runs a query that only reads, in a process that is killed at the time limit. Throws `usage` for what SQLite refuses. */
async function runQuery(query: Query, started: QueryProcess) {
  const messages = readMessages(query, started);
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

async function* readMessages(
  { timeLimitMs, ...job }: Query,
  { child, signal }: QueryProcess,
): AsyncGenerator<Message, void> {
  child.stdin.end(JSON.stringify(job));
  const chunks = child.stdout.setEncoding('utf8').iterator();
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
      const chunk = (await chunks.next()).value;
      clearTimeout(timer);
      leftMs -= performance.now() - sinceMs;
      if (chunk === undefined) throw toEarlyEnd(timeLimitMs, isLate, signal);
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const message = parseJson(line) as Message;
        if (message.error !== undefined) throw toFailure(message, job.sql);
        if (message.isEnd) end();
        yield message;
        if (message.isEnd) return;
      }
    }
  } finally {
    // It may be in the middle of its rows.
    end();
    child.stdout.destroy();
  }
}

function toFailure({ error = '', hint, isBusy = false }: Message, sql: string): SalonError {
  const again = 'Another program writes the file. Run the command again when that has ended.';
  if (isBusy) return new SalonError('conflict', error, { hint: again });
  const example = 'Give the query, too: salon sql copy.db "select * from clients_view"';
  return new SalonError('usage', error, { hint: hint ?? (/\s/.test(sql.trim()) ? undefined : example) });
}

function toEarlyEnd(timeLimitMs: number, isLate: boolean, signal: AbortSignal): SalonError {
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

/** Columns may have the same name, as in a join; the later ones get a number that makes no name of another column. */
function toUniqueNames(names: readonly string[]): readonly string[] {
  const used = new Set<string>();
  for (const name of names) {
    let unique = name;
    const isTaken = () => used.has(unique) || (unique !== name && names.includes(unique));
    for (let number = 2; isTaken(); number += 1) unique = `${name}_${number}`;
    used.add(unique);
  }
  return [...used];
}
