import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RunResult } from '../support/io.ts';
import type { Row } from '../support/servers/client-store.ts';
import { omit } from '../support/servers/other-server.ts';
import { type AnyConnection, type AnyMachine, connect } from './machine.ts';
import { judge, judgeRefusal, type Outcome, works, wrong } from './outcome.ts';
import { compareStore } from './records.ts';

/** Changes some clients from a sheet, then undoes it. */
export async function bulkUpdate(connection: AnyConnection): Promise<Outcome> {
  await using machine = await connect(connection, { count: 23, maxPageSize: 5 });
  const { notes } = connection.kind.fields;
  const { all } = machine;
  const before = await all();
  const chosen = before.filter((_row, index) => index % 3 === 0);
  const lines = chosen.map((row, index) => `${toCell(row['id'])},"Note ${index}, “new”"`);
  writeFileSync(
    join(machine.home, 'sheet.csv'),
    ['id', notes].join(',').concat('\n', lines.join('\n'), '\n'),
  );
  const ran = await machine.salon(
    'clients',
    'update',
    '--file',
    'sheet.csv',
    '--allow-new-fields',
    '--yes',
    '--json',
  );
  const expected = before.map((row) => {
    const index = chosen.indexOf(row);
    return index < 0 ? row : { ...row, [notes]: `Note ${index}, “new”` };
  });
  const outcome = judge(ran, {
    before,
    after: await all(),
    difference: (after) => compareStore(after, expected),
  });
  return outcome.result === 'works' ? await undo(machine, before, ran.stdout) : outcome;
}

/** Adds some clients from a sheet, then undoes it. */
export async function bulkCreate(connection: AnyConnection): Promise<Outcome> {
  await using machine = await connect(connection, { count: 7 });
  const { first, last, email } = connection.kind.fields;
  const { all } = machine;
  const before = await all();
  const people = ['Nova', 'Søren', '美咲'];
  const lines = people.map((name, index) => `${name},O’Neill,new${index}@example.com`);
  writeFileSync(join(machine.home, 'sheet.csv'), `${first},${last},${email}\n${lines.join('\n')}\n`);
  const ran = await machine.salon(
    'clients',
    'create',
    '--file',
    'sheet.csv',
    '--allow-new-fields',
    '--yes',
    '--json',
  );
  const outcome = judge(ran, {
    before,
    after: await all(),
    difference(after) {
      const added = after.slice(before.length);
      const isRight = people.every((name) => added.some((row) => row[first] === name));
      return isRight && added.length === people.length ? undefined : `${added.length} records were added`;
    },
  });
  return outcome.result === 'works' ? await undo(machine, before, ran.stdout) : outcome;
}

/** Deletes some clients from a sheet, then undoes it: they come back under new IDs. */
export async function bulkDelete(connection: AnyConnection): Promise<Outcome> {
  await using machine = await connect(connection, { count: 23, maxPageSize: 5 });
  const { all } = machine;
  const before = await all();
  const chosen = before.filter((_row, index) => index % 5 === 1);
  const lines = chosen.map((row) => toCell(row['id']));
  writeFileSync(join(machine.home, 'sheet.csv'), `id\n${lines.join('\n')}\n`);
  const ran = await machine.salon('clients', 'delete', '--file', 'sheet.csv', '--yes', '--json');
  const left = before.filter((row) => !chosen.includes(row));
  const outcome = judge(ran, {
    before,
    after: await all(),
    difference: (after) => compareStore(after, left),
  });
  if (outcome.result !== 'works') return outcome;
  const { ran: undone } = await undoJob(machine, ran.stdout);
  if (undone.exitCode !== 0) return judgeRefusal(undone, isDeepStrictEqual(await all(), left));
  const back = (await all()).slice(left.length).map(withoutIdentity);
  const difference = isDeepStrictEqual(sortByText(back), sortByText(chosen.map(withoutIdentity)));
  return difference ? works : wrong(`after undo: ${JSON.stringify(back)}`, undone);
}

/** Undoes the job whose report was printed. */
async function undo(machine: AnyMachine, before: readonly Row[], report: string): Promise<Outcome> {
  const { all } = machine;
  const changed = await all();
  const { ran } = await undoJob(machine, report);
  if (ran.exitCode !== 0) return judgeRefusal(ran, isDeepStrictEqual(changed, await all()));
  const difference = compareStore(await all(), before);
  return difference === undefined ? works : wrong(`after undo: ${difference}`, ran);
}

async function undoJob(machine: AnyMachine, report: string): Promise<{ readonly ran: RunResult }> {
  const { job } = JSON.parse(report) as { readonly job: string };
  return { ran: await machine.salon('jobs', 'undo', job, '--yes', '--json') };
}

/** What a new record has of a deleted one. */
function withoutIdentity(row: Row): Row {
  return omit(row, [
    ...['id', 'documentId', 'created_at', 'updated_at', 'createdAt', 'updatedAt'],
    ...['created', 'creation_source', 'version'],
  ]);
}

function sortByText(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

function toCell(id: unknown): string {
  return `"${String(id).replaceAll('"', '""')}"`;
}
