import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunResult } from '../support/io.ts';
import type { Row } from '../support/servers/client-store.ts';
import { bySpeed } from '../support/speed.ts';
import { type AnyConnection, type AnyMachine, connect } from './machine.ts';
import { judge, judgeRefusal, type Outcome, works, worst, wrong } from './outcome.ts';
import { compareList, compareRecord, parseLines, parseRecord } from './records.ts';

type List = readonly [count: number, maxPageSize: number | undefined];

/** Clients and the most rows of a page: none, some pages, one more, and a page for all; one, a page, and larger pages. */
const lists: readonly List[] = [
  [0, 5],
  [10, 5],
  [11, 5],
  [120, undefined],
  ...bySpeed<readonly List[]>({
    full: [],
    long: [
      [1, 5],
      [5, 5],
      [230, 50],
    ],
  }),
];

/** The whole list, with pages smaller and larger than it. */
export async function listAll(connection: AnyConnection): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const [count, maxPageSize] of lists) {
    await using machine = await connect(connection, {
      count,
      ...(maxPageSize === undefined ? {} : { maxPageSize }),
    });
    const before = await machine.all();
    const { ran, rows } = await exportList(machine);
    const outcome = judge(ran, {
      difference: () => compareList(rows, before),
      before,
      after: await machine.all(),
    });
    outcomes.push(
      outcome.result === 'wrong' ? { ...outcome, reason: `${count} clients: ${outcome.reason}` } : outcome,
    );
  }
  return worst(outcomes);
}

export async function get(connection: AnyConnection): Promise<Outcome> {
  await using machine = await connect(connection);
  const before = await machine.all();
  const [, , , , truth] = before;
  const found = await machine.salon('clients', 'get', String(truth?.['id']), '--json');
  const difference = () => compareRecord(machine.toOwn(parseRecord(found.stdout)), truth);
  const missing = await machine.salon('clients', 'get', 'none_such', '--json');
  const refusal = judgeRefusal(missing, true);
  if (refusal.result !== 'refused') return wrong('a record that does not exist is found', missing);
  return judge(found, { difference, before, after: await machine.all() });
}

export function search(connection: AnyConnection): Promise<Outcome> {
  const { email } = connection.kind.fields;
  const isFound = (row: Row) => String(row[email]).includes('client11');
  return listSome(connection, ['--search', 'client11'], (rows) => rows.filter(isFound));
}

export function filter(connection: AnyConnection): Promise<Outcome> {
  const address = 'client7@example.com';
  const { email } = connection.kind.fields;
  return listSome(connection, ['--email', address], (rows) => rows.filter((row) => row[email] === address));
}

/** By the time of creation, which has no ties and one order everywhere, in both directions: one is the server's own order. */
export async function sort(connection: AnyConnection): Promise<Outcome> {
  const { created = 'created_at' } = connection.kind.fields;
  const oldest = await listSome(connection, [`--sort=${created}`], (rows) => rows, true);
  const newest = await listSome(connection, [`--sort=-${created}`], (rows) => rows.toReversed(), true);
  return worst([oldest, newest]);
}

async function listSome(
  connection: AnyConnection,
  flags: readonly string[],
  toTruth: (rows: readonly Row[]) => readonly Row[],
  isOrdered = false,
): Promise<Outcome> {
  await using machine = await connect(connection, { count: 23, maxPageSize: 5 });
  const truth = toTruth(await machine.all());
  const { ran, rows } = await exportList(machine, ...flags);
  if (ran.exitCode !== 0) return judgeRefusal(ran, true);
  const difference = compareList(rows, truth, isOrdered);
  if (difference === undefined) return works;
  const strict = await exportList(machine, ...flags, '--strict');
  const warning = /^warning: (.+)$/m.exec(ran.stderr)?.[1];
  if (warning === undefined) return wrong(`${difference}, without a warning`, ran);
  return strict.ran.exitCode === 3
    ? { result: 'said', reason: warning }
    : wrong(`${difference}, and --strict accepts it`, strict.ran);
}

/** Lists into a file, which exists only if the list is whole. */
async function exportList(
  { home, salon, toOwn }: AnyMachine,
  ...flags: readonly string[]
): Promise<{ readonly ran: RunResult; readonly rows: readonly Row[] }> {
  const path = join(home, 'list.ndjson');
  const ran = await salon('clients', 'list', '-o', 'list.ndjson', ...flags);
  return { ran, rows: existsSync(path) ? parseLines(readFileSync(path, 'utf8')).map(toOwn) : [] };
}
