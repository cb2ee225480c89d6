import { stat } from 'node:fs/promises';
import { isFields } from '../../client/fields.ts';
import { SalonError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';
import type { Encoding } from '../sheet/sheet-form.ts';
import { readText } from '../sheet/sheet-text.ts';

/** A JSON document is parsed as a whole, in about ten times its size of memory. */
const maxBytes = 64 * 1_048_576;

/** The list in a JSON document. */
export interface JsonList {
  /** The member that holds it; null if the document itself is the list. */
  readonly member: string | null;
  readonly items: readonly { readonly line: number; readonly value: unknown }[];
}

/**
 * Reads a JSON document that is a list, or an object with one member that is a list of objects. Throws `usage` if it
 * is anything else, is not valid JSON, or is larger than 64 MiB. `name` is the file's name in messages.
 */
export async function readJsonList(path: string, encoding: Encoding, name = path): Promise<JsonList> {
  await assertSize(path, name);
  let text = '';
  for await (const chunk of readText(path, encoding)) text += chunk;
  const document = parse(text, name);
  const [list, ...others] = findLists(document);
  if (list === undefined) {
    throw new SalonError('usage', `${name} has no list of objects.`, {
      hint: 'Use [{…}, {…}], or an object that contains one such list.',
    });
  }
  if (others.length > 0) {
    const members = [list, ...others].map(({ member }) => member);
    throw new SalonError('usage', `${name} has more than one list: ${members.join(', ')}.`, {
      hint: 'Keep only the list of rows.',
    });
  }
  const lines = findObjectLines(text, list.member === null ? 1 : 2);
  let line = 1;
  const items = list.values.map((value) => {
    if (isFields(value)) line = lines.next().value ?? line;
    return { line, value };
  });
  return { member: list.member, items };
}

async function assertSize(path: string, name: string): Promise<void> {
  const { size } = await stat(path);
  if (size <= maxBytes) return;
  const megabytes = Math.ceil(size / 1_048_576);
  throw new SalonError('usage', `${name} is too large for JSON: ${megabytes} MB, the limit is 64 MB.`, {
    hint: 'Save it as NDJSON or CSV, which have no size limit.',
  });
}

function parse(text: string, name: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SalonError('usage', `${name} is not valid JSON: ${reason}`, {
      hint: 'Fix the file. A JSON object on each line is read as NDJSON.',
      cause,
    });
  }
}

function findLists(document: unknown): { member: string | null; values: readonly unknown[] }[] {
  if (Array.isArray(document)) return [{ member: null, values: document }];
  if (!isFields(document)) return [];
  return Object.entries(document).flatMap(([member, values]) =>
    Array.isArray(values) && values.some(isFields) ? [{ member, values }] : [],
  );
}

/** The lines on which the objects begin that are in a list of this depth, in their order. */
function* findObjectLines(text: string, listDepth: number): Generator<number, undefined> {
  const open: string[] = [];
  let line = 1;
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}\n]/g)) {
    if (token === '\n') line += 1;
    else if (token === ']' || token === '}') open.pop();
    else if (token === '[' || token === '{') {
      if (token === '{' && open.length === listDepth && open.at(-1) === '[') yield line;
      open.push(token);
    }
  }
}
