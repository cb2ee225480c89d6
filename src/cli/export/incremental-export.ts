import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseState, renderState } from '../../bulk/export/export-state.ts';
import { systemCodeOf } from '../../bulk/jobs/file-access.ts';
import type { ExportWork } from '../../bulk/jobs/job.ts';
import type { SalonClient } from '../../client/client.ts';
import { headerOf } from '../../client/headers.ts';
import { SalonError } from '../../contract/errors.ts';
import type { ExportFlags } from '../flags/options.ts';
import { parseTimeSpan } from '../flags/values.ts';
import type { CommandContext } from '../session/command-context.ts';
import { type Session, toServiceOrigin } from '../session/session.ts';

/** An export of what was changed since the last one. */
export interface Increment {
  readonly query: Readonly<Record<string, string>>;
  /** The state to write once the export is in its place. */
  readonly state: { readonly path: string; readonly text: string };
}

export type IncrementalList = Pick<ExportWork, 'noun' | 'query' | 'parameters'>;

/**
 * Reads the state of the last export, and the server's clock for the next one. Throws `usage` when the state is
 * of another origin, account or query.
 */
export async function openIncrement(
  { flags, io, messages, session, client: connect }: CommandContext<ExportFlags>,
  file: string,
  { noun, query, parameters }: IncrementalList,
): Promise<Increment> {
  const overlapMs = parseTimeSpan(flags.overlap ?? '2m', '--overlap');
  const path = resolve(io.cwd, file);
  const text = await readIfThere(path);
  const open = await session();
  const server = await readServer(await connect(), noun, io.now);
  const binding = {
    origin: toServiceOrigin(open),
    account: server.account ?? fingerprintOfKey(open),
    list: noun,
    query: { ...query, ...parameters },
  };
  const state = text === undefined ? undefined : parseState(text, binding, file);
  if (state === undefined) messages.info(`There is no state in ${file} yet: everything is exported.`);
  else messages.verbose(`What was changed since ${state.watermark} is exported.`);
  const watermark = new Date(server.nowMs - overlapMs);
  return {
    query: state === undefined ? {} : { updated_since: state.watermark },
    state: { path, text: renderState(binding, watermark) },
  };
}

/** The account, where the server tells, and its time at or before the moment it was asked. */
async function readServer(client: SalonClient, noun: string, now: () => Date) {
  const askedAtMs = now().getTime();
  const { headers, body } = await askForDate(client, noun);
  const toldMs = Date.parse(headerOf(headers, 'date') ?? '');
  const tookMs = now().getTime() - askedAtMs;
  return {
    account: accountOf(body),
    nowMs: Number.isNaN(toldMs) ? askedAtMs : toldMs - Math.max(0, tookMs),
  };
}

/** Who asks, from servers that say so; else any answer will do, for the date in its headers. */
async function askForDate(client: SalonClient, noun: string) {
  try {
    return await client.request('GET', 'me');
  } catch (error) {
    const isMissing = error instanceof SalonError && [403, 404, 405, 501].includes(error.status ?? 0);
    if (!isMissing) throw error;
    return client.request('GET', noun);
  }
}

function accountOf(body: unknown): string | undefined {
  const { account } = { ...(body as { account?: { id?: unknown } } | null) };
  return typeof account?.id === 'string' ? account.id : undefined;
}

function fingerprintOfKey({ settings }: Session): string {
  const key = settings.credential?.value.key ?? '';
  return `key:${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SalonError('usage', `The state in ${path} cannot be read: ${reason}`, { cause });
  }
}
