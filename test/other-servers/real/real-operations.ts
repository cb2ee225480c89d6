import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { RunResult } from '../../support/io.ts';
import type { Row } from '../../support/servers/client-store.ts';
import { type AnyConnection, type AnyMachine, connect } from '../machine.ts';
import { operations } from '../operations.ts';
import { judge, judgeRefusal, type Outcome, works, worst, wrong } from '../outcome.ts';
import { compareList, toShownName } from '../records.ts';

const size = { count: 60, maxPageSize: 25 };

/** The whole list as CSV and as JSON, every field of every row. */
async function exportFiles(connection: AnyConnection): Promise<Outcome> {
  await using machine = await connect(connection, size);
  const before = await machine.all();
  const names = Object.keys(before[0] ?? {});
  const outcomes: Outcome[] = [];
  for (const [file, flags] of [
    ['clients.json', []],
    ['clients.csv', ['--columns', names.map(toShownName).join(',')]],
  ] as const) {
    const { ran, text } = await exportList(machine, 'clients', file, ...flags);
    const difference = () =>
      file.endsWith('.csv')
        ? compareCells(parse(text, { columns: true, bom: true }), before)
        : compareList(JSON.parse(text), before);
    outcomes.push(judge(ran, { difference, before, after: await machine.all() }));
  }
  return worst(outcomes);
}

/** Only what has changed since an instant. */
async function changes(connection: AnyConnection): Promise<Outcome> {
  await using machine = await connect(connection, size);
  const { updated = 'updated_at' } = connection.kind.fields;
  const since = '2026-02-01T00:41:00Z';
  const truth = (await machine.all()).filter((row) => Date.parse(String(row[updated])) >= Date.parse(since));
  return await judgeList(machine, 'clients', ['--updated-since', since], truth);
}

/** Appointments: all, of a client, of a stylist, with a status, and of some days. */
async function appointments(connection: AnyConnection): Promise<Outcome> {
  await using machine = await connect(connection, size);
  const all = await machine.all('appointments');
  const has = (name: string, value: unknown) => all.filter((row) => String(row[name]) === String(value));
  const client = all[2]?.['client_id'];
  const stylist = all[1]?.['stylist_id'];
  const day = (row: Row) => String(row['start_time']).slice(0, 10);
  const outcomes: Outcome[] = [];
  for (const [flags, truth] of [
    [[], all],
    [['--client', String(client)], has('client_id', client)],
    [['--stylist', String(stylist)], has('stylist_id', stylist)],
    [['--status', 'completed'], has('status', 'completed')],
    [
      ['--from', '2026-10-05', '--to', '2026-10-07'],
      all.filter((row) => day(row) >= '2026-10-05' && day(row) <= '2026-10-07'),
    ],
  ] as const) {
    outcomes.push(await judgeList(machine, 'appointments', flags, truth));
  }
  return worst(outcomes);
}

/** As the other operations, and more. */
export const realOperations: typeof operations = {
  ...operations,
  Export: exportFiles,
  Changes: changes,
  Appointments: appointments,
};

async function judgeList(
  machine: AnyMachine,
  noun: string,
  flags: readonly string[],
  truth: readonly Row[],
): Promise<Outcome> {
  const file = `${noun}${flags.join('').replaceAll(/\W+/g, '')}.json`;
  const { ran, text } = await exportList(machine, noun, file, ...flags);
  if (ran.exitCode !== 0) return judgeRefusal(ran, true);
  if (truth.length === 0) return wrong(`nothing to find with ${flags.join(' ')}`);
  const difference = compareList(JSON.parse(text), truth);
  return difference === undefined ? works : wrong(`${flags.join(' ')}: ${difference}`, ran);
}

async function exportList(
  { home, salon }: AnyMachine,
  noun: string,
  file: string,
  ...flags: readonly string[]
): Promise<{ readonly ran: RunResult; readonly text: string }> {
  const ran = await salon(noun, 'list', '-o', file, ...flags);
  const path = join(home, file);
  return { ran, text: existsSync(path) ? readFileSync(path, 'utf8') : '' };
}

/** What differs between the cells of a sheet and the records. */
function compareCells(cells: readonly Row[], truth: readonly Row[]): string | undefined {
  const toCell = (value: unknown) => {
    if (value === null || value === undefined) return '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  const expected = truth.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toCell(value)])),
  );
  return compareList(cells, expected);
}
