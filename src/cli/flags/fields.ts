import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';
import { createUnreadableError } from '../messages/errors.ts';
import { parseAssignments } from './assignments.ts';
import type { WriteFlags } from './options.ts';

export type Fields = Record<string, unknown>;

/** Reads the fields of a write. --set overrides --data. Throws `usage`. */
export async function readFields(flags: WriteFlags, io: Io): Promise<Fields> {
  const data = flags.data === undefined ? undefined : await readJson(flags.data, io);
  return parseAssignments(flags.set ?? [], data);
}

/** Removes the fields whose flag is not given. */
export function toDefinedFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Reads the JSON value of --data. Throws `usage`. */
export async function readJson(data: string, io: Io): Promise<unknown> {
  return parseJson(await readData(data, io), data);
}

/** --data is a text, a file after @, or standard input for a dash. */
async function readData(data: string, io: Io): Promise<string> {
  if (data === '-') return readAll(io.stdin);
  if (!data.startsWith('@')) return data;
  return readFile(resolve(io.cwd, data.slice(1)), 'utf8').catch((cause: Error) => {
    throw createUnreadableError(`--data ${data}`, cause);
  });
}

export async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const name = source === '-' ? 'standard input' : source.startsWith('@') ? source.slice(1) : '--data';
    throw new SalonError('usage', `${name} is not valid JSON: ${reason}`, {
      hint: `Example: --data '{"first_name":"Ana"}'`,
      cause,
    });
  }
}
