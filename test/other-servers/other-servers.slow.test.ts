import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kinds } from '../support/servers/kinds.ts';
import type { ServerKind } from '../support/servers/other-server.ts';
import { isLong } from '../support/speed.ts';
import { bulkUpdate } from './bulk-operations.ts';
import { type ConnectionForm, connections, type Results, runOperation, runOperations } from './operations.ts';
import { works } from './outcome.ts';
import { get } from './read-operations.ts';
import { renderTable, replaceTable } from './results-table.ts';
import { remove, unmask, update } from './write-operations.ts';

const guidePath = join(import.meta.dirname, '../../docs/other-servers.md');

const runs = new Map<string, Promise<Results>>();

function run(form: ConnectionForm, kind: ServerKind): Promise<Results> {
  const key = `${form} ${kind.name}`;
  const results = runs.get(key) ?? runOperations(connections[form](kind));
  runs.set(key, results);
  return results;
}

const forms: readonly [how: string, form: ConnectionForm][] = [
  ['with its ready-made dialect', 'dialect'],
  ['with what the sign-in detects', 'detected'],
];

describe.each(isLong ? [...forms, ['with nothing but its addresses', 'addresses'] as const] : forms)(
  'a server %s',
  (_how, form) => {
    it.each(kinds)('is never wrong in silence: $name', async (kind) => {
      const results = Object.entries(await run(form, kind));
      const wrong = results.flatMap(([name, outcome]) =>
        outcome.result === 'wrong' ? [`${name}: ${outcome.reason}`] : [],
      );
      expect(wrong).toEqual([]);
    });

    it.each(kinds)('does not look as if a failed write was done: $name', async (kind) => {
      expect(await runOperation(unmask, connections[form](kind))).toMatchObject({ result: 'refused' });
    });
  },
);

/** Square, Stripe and the numbers of a JSON:API document have IDs of their own form. */
const kindsWithAnyId = kinds.filter(({ name }) => !['Square', 'Stripe'].includes(name));

it.each(kindsWithAnyId)('finds IDs of text with spaces and marks: $name', async (kind) => {
  const toId = (number: number) => `Nº ${number}: A & B's, +1 (x=y)`;
  const connection = { ...connections.dialect(kind), server: { toId } };
  for (const operation of [get, update, remove, bulkUpdate]) {
    expect(await operation(connection), operation.name).toEqual(works);
  }
});

/** `npm run docs:other-servers` writes the tables instead. */
describe('docs/other-servers.md', () => {
  it.each<ConnectionForm>(['dialect', 'detected'])('has the results with %s', async (form) => {
    const results = new Map<string, Results>();
    for (const kind of kinds) results.set(kind.name, await run(form, kind));
    const guide = readFileSync(guidePath, 'utf8');
    const expected = replaceTable(guide, form, renderTable(results));
    if (process.env['SALON_WRITE_DOCS'] !== undefined) writeFileSync(guidePath, expected);
    else expect(guide).toBe(expected);
  });
});
