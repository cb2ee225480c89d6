import { createJsonListSplitter } from './json-list-splitter.ts';
import { type RowReader, toUnreadable, type UnnumberedRow } from './read-sheet.ts';

/** Reads the objects of the list in a JSON document. */
export function createJsonRows(): RowReader {
  const splitter = createJsonListSplitter();
  return {
    write: (piece) => splitter.write(piece).map(({ line, text }) => toJsonRow(line, text)),
    end() {
      const failure = splitter.end();
      return failure === undefined ? [] : [toUnreadable(failure.line, failure.reason)];
    },
  };
}

/** The row that a text holds, if it is a JSON object. */
export function toJsonRow(line: number, text: string): UnnumberedRow {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { line, cells: value as Record<string, unknown> };
    }
    return toUnreadable(line, 'This is no JSON object.');
  } catch (thrown) {
    return toUnreadable(
      line,
      `This is not JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
  }
}
