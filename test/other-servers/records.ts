import { isDeepStrictEqual } from 'node:util';
import type { Row } from '../support/servers/client-store.ts';
import { parseExact } from '../support/servers/exact-json.ts';

/** Members that a server changes by itself with every write. */
const ownMembers = ['updated_at', 'updatedAt', 'version'];

const foundNames: Readonly<Record<string, string>> = { createdAt: 'created_at', updatedAt: 'updated_at' };

/** What is printed for a name of a server that the sign-in finds: the contract's. */
export function toShownName(name: string): string {
  return foundNames[name] ?? name;
}

export function parseRecord(text: string): Row {
  return parseExact(text) as Row;
}

export function parseLines(text: string): readonly Row[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(parseRecord);
}

/** What differs between a printed record and the server's: members beside the record's own, such as links, may be there. */
export function compareRecord(printed: Row | undefined, truth: Row | undefined): string | undefined {
  if (printed === undefined || truth === undefined)
    return printed === truth ? undefined : 'a record is missing';
  const shownAs = (name: string) => (name in printed ? name : toShownName(name));
  const wrong = Object.keys(truth).find((name) => {
    // An ID from a link or a document is text.
    const same = name === 'id' ? String(printed['id']) === String(truth['id']) : undefined;
    return !(same ?? isDeepStrictEqual(printed[shownAs(name)], truth[name]));
  });
  if (wrong === undefined) return undefined;
  return `${wrong} is ${JSON.stringify(printed[shownAs(wrong)])}, not ${JSON.stringify(truth[wrong])}`;
}

/** What differs between a printed list and the records it should contain, in any order unless `isOrdered`. */
export function compareList(
  printed: readonly Row[],
  truth: readonly Row[],
  isOrdered = false,
): string | undefined {
  if (printed.length !== truth.length) return `${printed.length} rows, not ${truth.length}`;
  const byId = new Map(printed.map((row) => [String(row['id']), row]));
  if (byId.size !== printed.length) return 'a row comes twice';
  for (const [index, row] of truth.entries()) {
    const found = isOrdered ? printed[index] : byId.get(String(row['id']));
    const difference = compareRecord(found, row);
    if (difference !== undefined) return `record ${row['id']}: ${difference}`;
  }
  return undefined;
}

/** What differs between a server's records and the expected ones, apart from what the server sets itself. */
export function compareStore(rows: readonly Row[], expected: readonly Row[]): string | undefined {
  if (rows.length !== expected.length) return `${rows.length} records on the server, not ${expected.length}`;
  const byId = new Map(rows.map((row) => [String(row['id']), row]));
  for (const row of expected) {
    const found = byId.get(String(row['id']));
    if (found === undefined) return `record ${row['id']} is gone`;
    const names = new Set([...Object.keys(row), ...Object.keys(found)]).difference(new Set(ownMembers));
    const wrong = [...names].find((name) => !isDeepStrictEqual(found[name] ?? null, row[name] ?? null));
    if (wrong !== undefined) {
      return `record ${row['id']}: ${wrong} is ${JSON.stringify(found[wrong])}, not ${JSON.stringify(row[wrong])}`;
    }
  }
  return undefined;
}
