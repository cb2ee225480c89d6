import type { ServerKind } from '../support/servers/other-server.ts';
import { bulkCreate, bulkDelete, bulkUpdate } from './bulk-operations.ts';
import { type AnyConnection, type Connection, RefusedSignIn } from './machine.ts';
import { judgeRefusal, type Outcome } from './outcome.ts';
import { filter, get, listAll, search, sort } from './read-operations.ts';
import { create, remove, update } from './write-operations.ts';

/**
 * How a server is connected: with its ready-made dialect, with what the sign-in detects, or with nothing but the
 * addresses of its records.
 */
export const connections = {
  dialect: (kind: ServerKind): Connection => ({ kind, via: { login: ['--dialect', kind.dialect] } }),
  detected: (kind: ServerKind): Connection => ({ kind, via: { login: [] } }),
  addresses: (kind: ServerKind): Connection => ({ kind, via: { dialect: { ...kind.addresses } } }),
} as const;

export type ConnectionForm = keyof typeof connections;

/** The operations of the runs, by their headings in the table. */
export const operations: Readonly<Record<string, (connection: AnyConnection) => Promise<Outcome>>> = {
  List: listAll,
  Get: get,
  Search: search,
  Filter: filter,
  Sort: sort,
  Create: create,
  Update: update,
  Delete: remove,
  'Bulk update, undo': bulkUpdate,
  'Bulk create, undo': bulkCreate,
  'Bulk delete, undo': bulkDelete,
};

export type Results = Readonly<Record<string, Outcome>>;

/** Runs operations, each on a server of its own. */
export async function runOperations(connection: AnyConnection, all = operations): Promise<Results> {
  const results: [string, Outcome][] = [];
  for (const [name, operation] of Object.entries(all)) {
    results.push([name, await runOperation(operation, connection)]);
  }
  return Object.fromEntries(results);
}

/** Without a sign-in every operation is refused. */
export async function runOperation(
  operation: (connection: AnyConnection) => Promise<Outcome>,
  connection: AnyConnection,
): Promise<Outcome> {
  try {
    return await operation(connection);
  } catch (thrown) {
    if (!(thrown instanceof RefusedSignIn)) throw thrown;
    return judgeRefusal(thrown.ran, true);
  }
}
