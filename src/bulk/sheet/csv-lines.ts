import { createLinePattern, decodeBytes, type RowLines } from '../../client/pagination/row-lines.ts';
import { findUnreadLines } from '../../client/pagination/unread-rows.ts';
import { parseJson } from '../../contract/json.ts';
import type { Chunk, RowWriter } from './row-writer.ts';

type Row = Readonly<Record<string, unknown>>;

interface CsvWriter extends Omit<RowWriter, 'rows'> {
  /** The chunk is valid until the next call. */
  rows(rows: readonly Row[]): Chunk;
}

/** Values that are in a file as they are in JSON, without quotes. */
const copied = '(?:null|\\[\\]|"?([^"\\\\,\\x00-\\x1f]*)"?)';
/** The most references that a replacement can have. */
const maxMembers = 99;
/** Lines that were not replaced: no copied value has a quote. */
const otherLines = /^\{".*\n/gm;

/**
 * A CSV writer that copies the values of unread rows, which takes a fraction of the time and no memory for each value.
 * `writer` writes all others, with commas and line feeds. `keys` are the members of a row in the columns.
 */
export function withUnreadRows(writer: RowWriter, keys: readonly string[]): CsvWriter {
  // A cell that is alone in its row is never empty.
  if (keys.length < 2) return writer;
  let [names, replace]: [readonly string[], (bytes: string) => string] = [[], (bytes) => bytes];
  // Used again and again, because so much garbage would let the heap grow.
  let output = Buffer.alloc(0);
  return {
    ...writer,
    rows(rows) {
      const found = findUnreadLines(rows);
      const lines = found !== undefined && found.names.length <= maxMembers ? found : undefined;
      if (lines === undefined) return writer.rows(rows);
      if (lines.names !== names) [names, replace] = [lines.names, createReplacement(lines, keys)];
      const text = replace(lines.bytes).replace(otherLines, renderLine);
      if (output.length < text.length) output = Buffer.alloc(2 * text.length);
      return output.subarray(0, output.write(text, 'latin1'));
    },
  };

  function renderLine(line: string): string {
    const row = parseJson(decodeBytes(line)) as Row;
    return Buffer.from(writer.rows([row])).toString('latin1');
  }
}

function createReplacement({ names }: RowLines, keys: readonly string[]): (bytes: string) => string {
  const pattern = createLinePattern(
    names.map((name) => [name, copied]),
    'g',
  );
  const template = `${keys
    .map((key) => names.indexOf(key) + 1)
    .map((place) => (place === 0 ? '' : `$${place}`))
    .join(',')}\n`;
  return (bytes) => bytes.replace(pattern, template);
}
