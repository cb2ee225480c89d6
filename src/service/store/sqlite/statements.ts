import type { DatabaseSync, StatementSync } from 'node:sqlite';

export interface Prepared {
  readonly statement: StatementSync;
  readonly answersRows: boolean;
}

/** Statements kept prepared. The service has far fewer; the bound is for queries with lists of every length. */
const mostPrepared = 500;

/** Makes what prepares each statement of a connection once. */
export function createStatements(sqlite: DatabaseSync): (text: string) => Prepared {
  const prepared = new Map<string, Prepared>();
  return (text) => {
    const known = prepared.get(text);
    if (known !== undefined) {
      return known;
    }
    if (prepared.size >= mostPrepared) {
      prepared.clear();
    }
    const statement = sqlite.prepare(text);
    const made = { statement, answersRows: statement.columns().length > 0 };
    prepared.set(text, made);
    return made;
  };
}
