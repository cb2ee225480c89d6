import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Engine } from '../engine.ts';
import { toStoreError } from './errors.ts';

export interface Prepared {
  readonly statement: StatementSync;
  readonly answersRows: boolean;
}

/** Statements kept prepared. The service has far fewer; the bound is for queries with lists of every length. */
const mostPrepared = 500;

/** Makes what prepares each statement of a connection once. */
export function createStatements(sqlite: DatabaseSync): (text: string) => Prepared {
  return createCache((text) => {
    const statement = sqlite.prepare(text);
    return { statement, answersRows: statement.columns().length > 0 };
  });
}

/** Makes what keeps what was made of a text. */
export function createCache<Made>(make: (text: string) => Made): (text: string) => Made {
  const kept = new Map<string, Made>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) {
      return known;
    }
    if (kept.size >= mostPrepared) {
      kept.clear();
    }
    const made = make(text);
    kept.set(text, made);
    return made;
  };
}

/** Makes the short way to write: Kysely takes as long to hand a small statement on as SQLite to run it. */
export function createRun(sqlite: DatabaseSync): Engine['run'] {
  const prepare = createStatements(sqlite);
  return async <Row>(text: string, values: Parameters<Engine['run']>[1]) => {
    try {
      const { statement, answersRows } = prepare(text);
      if (answersRows) {
        return statement.all(...values) as Row[];
      }
      statement.run(...values);
      return [];
    } catch (fault) {
      throw toStoreError(fault);
    }
  };
}

/** A statement whose values are bound by position, and whose rows come without names. */
interface Nameless {
  readonly statement: StatementSync;
  readonly parameters: readonly string[];
  readonly columns: readonly string[];
}

/**
 * Makes the short way to read. Kysely takes longer to build and to run a query than SQLite to answer it; and
 * SQLite's binding takes as long to look up and to make names as the row of a key takes to find.
 */
export function createRead(sqlite: DatabaseSync): Engine['read'] {
  const prepare = createCache((text) => prepareNameless(sqlite, text));
  return async <Row>(text: string, values: Readonly<Record<string, SQLInputValue>>) => {
    const { statement, parameters, columns } = prepare(text);
    try {
      const rows = statement.all(...parameters.map((name) => values[name] ?? null));
      return rows.map((row) => toObject(columns, row)) as Row[];
    } catch (fault) {
      throw toStoreError(fault);
    }
  };
}

/** Makes what tells whether another connection has committed since: SQLite counts that for each connection. */
export function createReadMark(sqlite: DatabaseSync): Engine['readMark'] {
  const statement = sqlite.prepare('pragma data_version');
  statement.setReturnArrays(true);
  return () => {
    try {
      const [mark] = statement.get() as unknown as readonly [number];
      return mark;
    } catch (fault) {
      throw toStoreError(fault);
    }
  };
}

function prepareNameless(sqlite: DatabaseSync, text: string): Nameless {
  const parameters: string[] = [];
  const numbered = text.replaceAll(/:(\w+)/g, (_, name: string) => {
    const known = parameters.indexOf(name) + 1;
    return `?${known === 0 ? parameters.push(name) : known}`;
  });
  const statement = sqlite.prepare(numbered);
  statement.setReturnArrays(true);
  return { statement, parameters, columns: statement.columns().map(({ name }) => name) };
}

function toObject(columns: readonly string[], row: unknown): object {
  const values = row as readonly unknown[];
  const object: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index++) {
    object[columns[index] ?? ''] = values[index];
  }
  return object;
}
