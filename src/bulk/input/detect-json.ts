import type { SheetForm } from '../sheet/sheet-form.ts';
import { createJsonListSplitter } from './json-list-splitter.ts';
import { toJsonRow } from './json-rows.ts';

/** Which of the formats a text is in that begins so. */
export function detectFormat(sample: string): SheetForm['format'] {
  if (/^\s*\[\s*(?:[[{"\]\d]|-\d|true|false|null)/.test(sample)) return 'json';
  if (!/^\s*\{\s*["}]/.test(sample)) return 'csv';
  return hasSeveralObjects(sample) || findListMember(sample) === undefined ? 'ndjson' : 'json';
}

/** Whether the first line is an object for itself, and not the only line. */
function hasSeveralObjects(sample: string): boolean {
  const [first = '', ...others] = sample.trim().split('\n');
  return others.length > 0 && toJsonRow(1, first).fault === undefined;
}

/** Where the list is in a JSON document that begins so: null for the whole document, undefined for nowhere yet. */
export function findListMember(sample: string): string | null | undefined {
  const splitter = createJsonListSplitter();
  splitter.write(sample);
  return splitter.member;
}
