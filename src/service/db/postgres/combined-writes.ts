import { findStatement, type Statement } from './statements.ts';

/** A write without result that has not been sent. */
export interface PendingWrite {
  readonly source: string;
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** A longer statement gains nothing. */
const maxValues = 500;
const maxKnown = 2000;

const words = new Map<string, ReadonlySet<string>>();

/** Every word of a statement: the tables it reads or writes are among them. */
function findWords(source: string): ReadonlySet<string> {
  const known = words.get(source);
  if (known !== undefined) return known;
  if (words.size >= maxKnown) words.clear();
  const found = new Set(source.match(/[a-z_]+/gi));
  words.set(source, found);
  return found;
}

/**
 * Whether a write can be carried out by one statement with others: all parts of a statement see the rows as they were
 * before it, so none may read or write a table that another one writes.
 */
export function canCombine(writes: readonly PendingWrite[], next: PendingWrite): boolean {
  const count = writes.reduce((sum, { values }) => sum + values.length, next.values.length);
  const isApart = (one: PendingWrite, other: PendingWrite) =>
    one.statement.tables.every((table) => !findWords(other.source).has(table));
  return (
    count <= maxValues &&
    [...writes, next].every(({ statement }) => statement.name !== undefined) &&
    writes.every((write) => isApart(write, next) && isApart(next, write))
  );
}

export function combineWrites(writes: readonly PendingWrite[]): Pick<PendingWrite, 'statement' | 'values'> {
  const [first, ...others] = writes;
  if (first === undefined) throw new Error('There are no writes.');
  if (others.length === 0) return first;
  const parts = others.map(({ source }, index) => `write_${index} as (${source})`);
  const text = `with ${parts.join(', ')} ${first.source}`;
  return {
    statement: findStatement(text),
    values: [...others, first].flatMap(({ values }) => values),
  };
}
