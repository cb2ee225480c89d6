import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';
import { createUnreadableError } from '../messages/errors.ts';
import { parseAssignments } from './assignments.ts';
import type { WriteFlags } from './options.ts';

export type Fields = Record<string, unknown>;

/** The fields of a write: --data first, --set over it. Throws `usage` before anything is sent. */
export async function readFields(flags: WriteFlags, io: Io): Promise<Fields> {
  const data = flags.data === undefined ? undefined : await readJson(flags.data, io);
  return parseAssignments(flags.set ?? [], data);
}

/** Those of the fields that a flag gave. */
export function toGiven(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The JSON value that --data stands for. Throws `usage` when it is none. */
export async function readJson(data: string, io: Io): Promise<unknown> {
  return parseJson(await readData(data, io), data);
}

/** The text that --data stands for: itself, a file after @, or standard input for a dash. */
async function readData(data: string, io: Io): Promise<string> {
  if (data === '-') return readAll(io.stdin);
  if (!data.startsWith('@')) return data;
  return readFile(resolve(io.cwd, data.slice(1)), 'utf8').catch((cause: Error) => {
    throw createUnreadableError(`--data ${data}`, cause);
  });
}

/** The whole of a stream as text. */
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
    const place = source === '-' ? 'standard input' : source.startsWith('@') ? source.slice(1) : '--data';
    throw new SalonError('usage', `${place} is not valid JSON: ${reason}`, {
      hint: `Write it as --data '{"first_name":"Ana"}'.`,
      cause,
    });
  }
}
