import { longestRow } from '../sheet/sheet-form.ts';
import { toJsonRow } from './json-rows.ts';
import { type RowReader, toUnreadable, type UnnumberedRow } from './read-sheet.ts';

/** Reads an object a line. */
export function createNdjsonRows(): RowReader {
  let text = '';
  let line = 1;
  let isSkipping = false;
  return {
    write(piece) {
      const lines = `${text}${piece}`.split('\n');
      text = lines.pop() ?? '';
      const rows = lines.flatMap(takeLine);
      if (text.length <= longestRow) return rows;
      text = '';
      if (!isSkipping) rows.push(toUnreadable(line, 'The line is longer than a request may be.'));
      isSkipping = true;
      return rows;
    },
    end: () => takeLine(text),
  };

  function takeLine(found: string): UnnumberedRow[] {
    const here = line;
    line += 1;
    const isRest = isSkipping;
    isSkipping = false;
    return isRest || found.trim() === '' ? [] : [toJsonRow(here, found)];
  }
}
