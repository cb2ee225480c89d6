import type { DatabaseSync, StatementSync } from 'node:sqlite';

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
