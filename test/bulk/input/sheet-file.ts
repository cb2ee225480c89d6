import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Encoding, SheetForm } from '../../../src/bulk/sheet/sheet-form.ts';
import { encodeText } from '../../../src/bulk/sheet/sheet-text.ts';

/** A file that is deleted on disposal. */
export interface SheetFile extends Disposable {
  readonly path: string;
}

export function writeSheet(content: string | Uint8Array): SheetFile {
  const folder = mkdtempSync(join(tmpdir(), 'salon-sheet-'));
  const path = join(folder, 'sheet');
  writeFileSync(path, content);
  return { path, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A text as a program saves it. */
export function encode(text: string, encoding: Encoding, { hasByteOrderMark = false } = {}): Buffer {
  return encodeText(hasByteOrderMark ? `\uFEFF${text}` : text, encoding);
}

export const plainCsv: SheetForm = {
  format: 'csv',
  encoding: 'utf-8',
  hasByteOrderMark: false,
  lineEnd: '\n',
  delimiter: ',',
  columns: ['id', 'first_name'],
  hasSeparatorLine: false,
  headingLine: 1,
  isGuarded: false,
  member: null,
};
