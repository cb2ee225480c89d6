import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { createUnreadableError } from '../../bulk/jobs/file-access.ts';
import { isFields } from '../../client/json-object.ts';
import { SalonError } from '../../contract/errors.ts';
import { isJsonNumber, parseJson } from '../../text/json.ts';
import type { Io } from '../io.ts';
import type { WriteFlags } from './options.ts';

export type FieldValues = Record<string, unknown>;

/** Reads the fields of a write. --set overrides --data. Throws `usage`. */
export async function readFields(flags: WriteFlags, io: Io): Promise<FieldValues> {
  const data = flags.data === undefined ? undefined : await readJson(flags.data, io);
  const fields = parseAssignments(flags.set ?? [], data);
  const { phone } = fields;
  return typeof phone === 'string' ? { ...fields, phone: await readTypedPhone(phone) } : fields;
}

/** Without the slash that people write after an area code; two numbers keep theirs. */
export async function readTypedPhone(phone: string): Promise<string> {
  if (!phone.includes('/')) return phone;
  const { readPhoneNumber } = await import('../../text/phone-reader.ts');
  return readPhoneNumber(phone).plain;
}

/** Removes the fields whose flag is not given. */
export function toDefinedFields<Fields extends object>(fields: Fields) {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
}

/** Reads the JSON value of --data. Throws `usage`. */
export async function readJson(data: string, io: Io): Promise<unknown> {
  return parseData(await readData(data, io), data);
}

/** --data is a text, a file after @, or standard input for a dash. */
async function readData(data: string, io: Io): Promise<string> {
  if (data === '-') return readAll(readStdin(io));
  if (!data.startsWith('@')) return data;
  return readFile(resolve(io.cwd, data.slice(1)), 'utf8').catch((cause: Error) => {
    throw createUnreadableError(`--data ${data}`, cause);
  });
}

const kept = new WeakMap<Readable, Buffer[]>();

/** Standard input from its beginning, also for a command that starts again. */
export function readStdin({ stdin }: Pick<Io, 'stdin'>): Readable {
  const chunks = kept.get(stdin) ?? [];
  kept.set(stdin, chunks);
  return Readable.from(readOn(), { objectMode: false });

  async function* readOn() {
    yield* chunks.slice();
    for await (const chunk of stdin.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk);
      yield chunk;
    }
  }
}

export async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function parseData(text: string, source: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const name = source === '-' ? 'standard input' : source.startsWith('@') ? source.slice(1) : '--data';
    throw new SalonError('usage', `${name} is not valid JSON: ${reason}`, {
      hint: `Example: --data '{"first_name":"Ana"}'`,
      cause,
    });
  }
}

/**
 * Parses the `name=text` and `name:=json` of --set over the object of --data. A name such as `__proto__` is a name like
 * any other. Throws `usage` for a malformed assignment and for a name set twice.
 */
export function parseAssignments(set: readonly string[], data: unknown): Record<string, unknown> {
  const fields = new Map(Object.entries(toObject(data)));
  const assigned = new Set<string>();
  for (const text of set) {
    const [name, value] = parseAssignment(text);
    if (assigned.has(name)) throw new SalonError('usage', `--set gives "${name}" twice.`);
    assigned.add(name);
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

function toObject(data: unknown): object {
  if (data === undefined) return {};
  if (isFields(data)) return data;
  const type = isJsonNumber(data) ? 'number' : typeof data;
  const what = data === null ? 'null' : Array.isArray(data) ? 'a list' : `a ${type}`;
  throw new SalonError('usage', `--data needs a JSON object, not ${what}.`, {
    hint: 'For example --data \'{"notes": "Prefers mornings"}\'',
  });
}

function parseAssignment(text: string): [name: string, value: unknown] {
  const middle = text.indexOf('=');
  const typed = text[middle - 1] === ':';
  const name = text.slice(0, Math.max(0, typed ? middle - 1 : middle));
  if (name === '') {
    throw new SalonError('usage', `--set needs field=value, not "${text}".`, {
      hint: 'Use field=text for text and field:=json for anything else, e.g. notes:=null.',
    });
  }
  const value = text.slice(middle + 1);
  return [name, typed ? parseTyped(value, name) : value];
}

function parseTyped(text: string, name: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new SalonError('usage', `--set ${name}:= needs JSON, not "${text}".`, {
      hint: `For text, use ${name}=${text || 'text'}`,
      cause,
    });
  }
}
