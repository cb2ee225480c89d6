import type { Row } from '../support/servers/client-store.ts';
import { type AnyConnection, connect } from './machine.ts';
import { judge, judgeRefusal, type Outcome, worst, wrong } from './outcome.ts';
import { compareStore, parseRecord } from './records.ts';

export async function create(connection: AnyConnection): Promise<Outcome> {
  await using machine = await connect(connection);
  const { first, last, email } = connection.kind.fields;
  const { all } = machine;
  const before = await all();
  const given: Row = { [first]: 'Nova & Søn', [last]: '100 % “quoted”', [email]: 'nova+1@example.com' };
  const fields = Object.entries(given).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const ran = await machine.salon('clients', 'create', ...fields, '--json');
  return judge(ran, {
    before,
    after: await all(),
    difference(after) {
      const { [before.length]: added, length } = after;
      if (length !== before.length + 1 || added === undefined)
        return `${length - before.length} records were added`;
      const wrongField = Object.keys(given).find((name) => added[name] !== given[name]);
      if (wrongField !== undefined) return `${wrongField} is ${JSON.stringify(added[wrongField])}`;
      // A server may keep the ID to itself.
      const { id } = parseRecord(ran.stdout);
      const isRight = id === null || String(id) === String(added['id']);
      return isRight ? undefined : `the ID printed is ${id}, not ${added['id']}`;
    },
  });
}

/** Changes one field, and clears it again. */
export async function update(connection: AnyConnection): Promise<Outcome> {
  const { notes } = connection.kind.fields;
  const change = await updateOne(connection, [`${notes}=Allergic to “latex” & nuts`], {
    [notes]: 'Allergic to “latex” & nuts',
  });
  const clear = await updateOne(connection, [`${notes}:=null`], { [notes]: null });
  return worst([change, clear]);
}

async function updateOne(connection: AnyConnection, given: readonly string[], change: Row): Promise<Outcome> {
  await using machine = await connect(connection);
  const { all } = machine;
  const before = await all();
  // The fifth client has notes.
  const id = String(before[4]?.['id']);
  const ran = await machine.salon(
    'clients',
    'update',
    id,
    ...given.flatMap((text) => ['--set', text]),
    '--json',
  );
  const expected = before.map((row) => (String(row['id']) === id ? { ...row, ...change } : row));
  return judge(ran, { before, after: await all(), difference: (after) => compareStore(after, expected) });
}

export async function remove(connection: AnyConnection): Promise<Outcome> {
  await using machine = await connect(connection);
  const { all } = machine;
  const before = await all();
  const id = String(before[4]?.['id']);
  const ran = await machine.salon('clients', 'delete', id, '--yes');
  const outcome = judge(ran, {
    before,
    after: await all(),
    difference: (after) =>
      compareStore(
        after,
        before.filter((row) => String(row['id']) !== id),
      ),
  });
  const missing = await machine.salon('clients', 'delete', 'none_such', '--yes');
  if (judgeRefusal(missing, true).result !== 'refused') return wrong('a missing record is deleted', missing);
  return outcome;
}

/** Writes that a server answers with 200 and a body that says they failed: none of them may look done. */
export async function unmask(connection: AnyConnection): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  const { last } = connection.kind.fields;
  await using machine = await connect(connection, { failsSilently: true });
  const id = String((await machine.all())[4]?.['id']);
  for (const line of [
    ['create', '--set', `${last}=New`],
    ['update', '5', '--set', `${last}=New`],
    ['delete', '5', '--yes'],
  ]) {
    const argv = line.map((word) => (word === '5' ? id : word));
    const ran = await machine.salon('clients', ...argv, '--json');
    const refusal = judgeRefusal(ran, true);
    outcomes.push(refusal.result === 'refused' ? refusal : wrong(`${argv[0]} looks done`, ran));
  }
  return worst(outcomes);
}
