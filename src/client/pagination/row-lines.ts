import { isFields } from '../fields.ts';

/** Records as JSON lines that have been checked, but not parsed. All have the same members in the same order. */
export interface RowLines {
  readonly names: readonly string[];
  readonly ids: readonly string[];
  /** The lines with their ends, with a character for each byte. */
  readonly bytes: string;
}

/** The lines of records with certain members. */
export interface LineFormat {
  readonly names: readonly string[];
  /** Adds the IDs of the lines from `start` on. Returns where one is different or may not be JSON, or the end. */
  readIds(bytes: string, start: number, ids: string[]): number;
}

const plain = '[^"\\\\\\x00-\\x1f]*';
/** An ID that is the same in text and in bytes. */
const plainId = '[^"\\\\\\x00-\\x1f\\x80-\\xff]*';
const text = `"${plain}(?:\\\\(?:["\\\\/bfnrt]|u[\\da-fA-F]{4})${plain})*"`;
const number = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][-+]?\\d+)?';
const value = `(?:${text}|null|${number}|true|false|\\[(?:${text}(?:,${text})*)?\\])`;

/** The format of a line; undefined unless it is a record with an ID, written as `JSON.stringify` does. */
export function createLineFormat(line: string): LineFormat | undefined {
  const record = tryParse(line);
  if (!isFields(record) || !('id' in record) || JSON.stringify(record) !== line) return undefined;
  const names = Object.keys(record);
  const pattern = createLinePattern(
    names.map((name) => [name, name === 'id' ? `"(${plainId})"` : value]),
    'y',
  );
  return {
    names,
    readIds(bytes, start, ids) {
      let end = start;
      pattern.lastIndex = start;
      for (let found = pattern.exec(bytes); found !== null; found = pattern.exec(bytes)) {
        ids.push(found[1] ?? '');
        end = pattern.lastIndex;
      }
      return end;
    },
  };
}

/** Matches a line with these members. The patterns of values see a character for each byte. */
export function createLinePattern(members: readonly (readonly [string, string])[], flags: string): RegExp {
  const parts = members.map(
    ([name, pattern]) => `${escapePattern(toBytes(JSON.stringify(name)))}:${pattern}`,
  );
  return new RegExp(`\\{${parts.join(',')}\\}\\n`, flags);
}

function escapePattern(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function tryParse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A string with a character for each byte of a text. */
function toBytes(content: string): string {
  return Buffer.from(content).toString('latin1');
}

/** The text of a string with a character for each byte. */
export function decodeBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}
