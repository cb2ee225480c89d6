import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { systemCodeOf } from '../../bulk/jobs/file-access.ts';
import type { ExportWork } from '../../bulk/jobs/job.ts';
import type { SalonClient } from '../../client/client.ts';
import { readHeader } from '../../client/response-headers.ts';
import { SalonError } from '../../contract/errors.ts';
import { tryParseJson } from '../../text/json.ts';
import type { ExportFlags } from '../flags/options.ts';
import type { CommandContext } from '../session/command-context.ts';
import { toKeyFingerprint, toServiceOrigin } from '../session/session.ts';

const usualOverlapMs = 120_000;

/**
 * Reads the state of the last export, and the server's time for the next one. Throws `usage` if the state belongs to
 * another origin, account or query.
 */
export async function readIncrementalExport(
  { flags, io, messages, session, client: connect }: CommandContext<ExportFlags>,
  file: string,
  { noun, query, parameters }: Pick<ExportWork, 'noun' | 'query' | 'parameters'>,
) {
  const path = resolve(io.cwd, file);
  const text = await readState(path);
  const open = await session();
  const server = await readServer(await connect(), noun, io.now);
  const scope = {
    origin: toServiceOrigin(open),
    account: server.account ?? toKeyFingerprint(open),
    list: noun,
    query: { ...query, ...parameters },
  };
  const state = text === undefined ? undefined : parseState(text, scope, file);
  if (state === undefined) messages.info(`No saved state in ${file}; exporting everything.`);
  else messages.verbose(`Exporting changes since ${state.watermark}.`);
  const nextStart = new Date(server.nowMs - (flags.overlap ?? usualOverlapMs));
  return {
    query: state === undefined ? {} : { updated_since: state.watermark },
    /** The state file, written after the export. */
    state: { path, text: renderState(scope, nextStart) },
  };
}

/** The account, if the server sends it, and the server's time at or before the request. */
async function readServer(client: SalonClient, noun: string, now: () => Date) {
  const startMs = now().getTime();
  // The account; from servers without one, any page of the list for its date header.
  const { headers, body } = await client.request('GET', 'me').catch((error: unknown) => {
    const isMissing = error instanceof SalonError && [403, 404, 405, 501].includes(error.status ?? 0);
    if (!isMissing) throw error;
    return client.request('GET', noun);
  });
  const serverMs = Date.parse(readHeader(headers, 'date') ?? '');
  const durationMs = now().getTime() - startMs;
  const { account } = { ...(body as { account?: { id?: unknown } } | null) };
  return {
    account: typeof account?.id === 'string' ? account.id : undefined,
    nowMs: Number.isNaN(serverMs) ? startMs : serverMs - Math.max(0, durationMs),
  };
}

async function readState(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SalonError('usage', `Cannot read the state file ${path}: ${reason}`, { cause });
  }
}

/** The export that a state file belongs to. */
interface StateScope {
  readonly origin: string;
  /** The account's ID, or a fingerprint of the API key. */
  readonly account: string;
  readonly list: string;
  readonly query: Readonly<Record<string, string>>;
}

/** The state file between two incremental exports. */
interface ExportState extends StateScope {
  readonly state_version: 1;
  /** Start of the next export: the server's time of this one, minus the overlap. */
  readonly watermark: string;
}

export function renderState(scope: StateScope, watermark: Date): string {
  const state: ExportState = { state_version: 1, ...scope, watermark: watermark.toISOString() };
  return `${JSON.stringify(state, null, 2)}\n`;
}

/** Parses a state file. Throws `usage` if it is damaged, or belongs to another export than `scope`. */
export function parseState(text: string, scope: StateScope, path: string): ExportState {
  const state: Partial<ExportState> = Object(tryParseJson(text));
  if (state.state_version !== 1 || Number.isNaN(Date.parse(String(state.watermark)))) {
    throw wrongState(`${path} is not an export state file.`);
  }
  const other = (['origin', 'account', 'list'] as const).find((part) => state[part] !== scope[part]);
  if (other !== undefined) {
    throw wrongState(`${path} is for another ${other}: ${String(state[other])}, not ${scope[other]}.`);
  }
  const [stored, current] = [toText(state.query), toText(scope.query)];
  if (stored !== current) throw wrongState(`${path} is for another query: ${stored}, not ${current}.`);
  return state as ExportState;
}

function toText(query: Readonly<Record<string, string>> | undefined): string {
  return JSON.stringify(Object.entries(query ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function wrongState(message: string): SalonError {
  return new SalonError('usage', message, {
    hint: 'Use one state file per export. A new file starts with a full export.',
  });
}
