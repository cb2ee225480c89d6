import { SalonError } from '../../contract/errors.ts';
import type { SheetForm } from '../sheet/sheet-form.ts';
import { readText, type TextForm } from '../sheet/text-encoding.ts';
import { detectCsv, detectGuard } from './detect-csv.ts';
import { detectEncoding } from './detect-encoding.ts';
import { detectFormat, findListMember } from './detect-json.ts';
import { noRows } from './no-rows.ts';
import { readSheet } from './read-sheet.ts';

export interface DetectOptions {
  /** What people know the file by; its path unless said otherwise. */
  readonly name?: string | undefined;
  /** Said rather than found. */
  readonly format?: SheetForm['format'] | undefined;
  readonly isGuarded?: boolean | undefined;
}

/** Characters of the beginning that are looked at. */
const sampleLength = 131_072;

/**
 * Finds out how a sheet is written, by what is in it and never by its name. Throws `usage` for what cannot be read,
 * is no sheet, has no rows, or has a heading that does not name every column once.
 */
export async function detectSheetForm(path: string, options: DetectOptions = {}): Promise<SheetForm> {
  const name = options.name ?? path;
  const textForm = await detectEncoding(path, name).catch((thrown: unknown) => {
    throw thrown instanceof SalonError ? thrown : cannotBeRead(name, thrown);
  });
  const sample = await readSample(path, textForm);
  if (sample.trim() === '') throw noRows(`${name} is empty.`);
  if (sample.includes('\0')) throw new SalonError('usage', `${name} is not a text.`);
  const found = { ...textForm, ...detectContent(sample, { name, format: options.format }) };
  const form = { ...found, isGuarded: options.isGuarded ?? (await detectGuard(path, found)) };
  await assertRows(path, { form, name });
  return form;
}

async function readSample(path: string, textForm: TextForm): Promise<string> {
  let sample = '';
  for await (const piece of readText(path, textForm)) {
    sample += piece;
    if (sample.length >= sampleLength) break;
  }
  return sample;
}

function detectContent(
  sample: string,
  { name, format = detectFormat(sample) }: { name: string; format?: SheetForm['format'] | undefined },
) {
  const none = { delimiter: null, columns: null, hasSeparatorLine: false, isGuarded: false, member: null };
  const all = { ...none, format, lineEnd: findLineEnd(sample, format) };
  if (format === 'csv') return { ...all, ...detectCsv(sample, name) };
  return format === 'json' ? { ...all, member: requireList(sample, name) } : all;
}

/** The first line end that is no part of a cell. */
function findLineEnd(sample: string, format: SheetForm['format']): SheetForm['lineEnd'] {
  const text = format === 'csv' ? sample.replace(/"[^"]*"/g, '') : sample;
  const [found] = /\r\n|\n|\r/.exec(text) ?? [];
  return (found as SheetForm['lineEnd'] | undefined) ?? '\n';
}

function requireList(sample: string, name: string): string | null {
  const member = findListMember(sample);
  if (member !== undefined) return member;
  throw new SalonError('usage', `${name} holds no list of objects.`, {
    hint: 'Write [{…}, {…}], or an object with one such list in it.',
  });
}

async function assertRows(path: string, { form, name }: { form: SheetForm; name: string }): Promise<void> {
  for await (const row of readSheet(path, form)) if (row.number > 0) return;
  throw noRows(`${name} has no rows${form.format === 'csv' ? ' below its heading' : ''}.`);
}

function cannotBeRead(name: string, cause: unknown): SalonError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new SalonError('usage', `${name} cannot be read: ${reason}`, { cause });
}
