import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { systemCodeOf } from '../../bulk/jobs/file-access.ts';
import type { ExportWork } from '../../bulk/jobs/job.ts';
import type { SalonClient } from '../../client/client.ts';
import { readHeader } from '../../client/response-headers.ts';
import { SalonError } from '../../contract/errors.ts';
import { tryParseJson } from '../../text/json.ts';
import type { ExportFlags } from '../flags/options.ts';
import { askFeed } from '../session/change-feed.ts';
import type { CommandContext } from '../session/command-context.ts';
import { toKeyFingerprint, toServiceOrigin } from '../session/session.ts';
import { canListChanges, listChangedRecords, readChangePage } from './changed-records.ts';

const usualOverlapMs = 120_000;

/**
 * Reads the state of the last export, and where the next one starts: at a position, if the server lists changes, else at
 * the server's time. Throws `usage` if the state belongs to another origin, account or query.
 */
export async function readIncrementalExport(
  context: CommandContext<ExportFlags>,
  file: string,
  own: Pick<ExportWork, 'noun' | 'query' | 'parameters'>,
) {
  const { flags, io, messages, session, client: connect } = context;
  const marksDeleted = flags.includeDeleted === true;
  const canList = canListChanges(own);
  // Payments cannot be filtered by when they changed.
  const needed = marksDeleted ? '--include-deleted' : own.noun === 'payments' ? '--since-last' : undefined;
  if (!canList) assertNotNeeded(needed, ofFilters);
  const path = resolve(io.cwd, file);
  const text = await readState(path);
  const open = await session();
  const origin = toServiceOrigin(open);
  const scope = { origin, list: own.noun, query: { ...own.query, ...own.parameters } };
  const state = text === undefined ? undefined : parseState(text, scope, file);
  const { position } = state ?? {};
  const changes = position && (await readChangesSince(position, { own, marksDeleted, file }, context));
  if (state !== undefined && changes && !('error' in changes)) {
    const next = renderState({ ...scope, account: state.account }, { position: changes.position });
    return { ...changes, query: {}, state: { path, text: next } };
  }
  const server = await readServer(await connect(), own.noun, io.now);
  const account = server.account ?? toKeyFingerprint(open);
  if (text !== undefined) parseState(text, { ...scope, account }, file);
  const start = canList ? await askFeed(readChangePage(own.noun, undefined, context)) : { reason: ofFilters };
  const reason = 'reason' in start ? start.reason : undefined;
  if (reason !== undefined) assertNotNeeded(needed, reason);
  if (state === undefined) messages.info(`No saved state in ${file}; exporting everything.`);
  if (changes && 'error' in changes)
    messages.warn(`Everything is exported: ${changes.reason}. Remove all other ${own.noun} from a copy.`);
  if (state?.watermark !== undefined) messages.verbose(`Exporting changes since ${state.watermark}.`);
  const next =
    'position' in start
      ? { position: start.position }
      : { watermark: new Date(server.nowMs - (flags.overlap ?? usualOverlapMs)).toISOString() };
  if (reason !== undefined) messages.info(`Deleted records do not appear: ${reason}.`);
  else if (state?.watermark !== undefined)
    messages.info(`Deletions are known from this run on: ${file} is of an earlier version.`);
  return {
    query: state?.watermark === undefined ? {} : { updated_since: state.watermark },
    list: { marksDeleted },
    pages: undefined,
    /** The state file, written after the export. */
    state: { path, text: renderState({ ...scope, account }, next) },
  };
}

const ofFilters = 'changes are not listed with --search, --email, --phone, --sort or --param';

/** Throws `usage` if a flag needs the list of changes, which cannot be read for this reason. */
function assertNotNeeded(flag: string | undefined, reason: string): void {
  if (flag !== undefined) throw new SalonError('usage', `${flag} is not possible here: ${reason}.`);
}

interface ChangeRequest {
  readonly own: Pick<ExportWork, 'noun' | 'query'>;
  readonly marksDeleted: boolean;
  readonly file: string;
}

/** What has changed since a position, or why everything has to be exported again. */
async function readChangesSince(
  after: string,
  { own, marksDeleted, file }: ChangeRequest,
  context: CommandContext,
) {
  const { noun, query } = own;
  const first = await askFeed(readChangePage(noun, after, context)).catch((thrown) => {
    throw thrown instanceof SalonError && thrown.code === 'invalid_parameter' ? noState(file) : thrown;
  });
  if ('error' in first) return first;
  // A record is exported once, as the first page with it has it, so the next export must not start behind that.
  const { position } = first.has_more ? await readChangePage(noun, undefined, context) : first;
  const only = first.has_more ? undefined : first;
  const list = { after, marksDeleted };
  return { position, list, pages: listChangedRecords({ noun, query, ...list, only }, context) };
}

/** The account, if the server says so, and its time at or before the request. */
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

/** Where the next export starts: a position, or the server's time of this one, minus the overlap. */
interface NextStart {
  readonly position?: string;
  readonly watermark?: string;
}

/** The state file between two incremental exports. */
interface ExportState extends StateScope, NextStart {
  readonly state_version: 1;
}

export function renderState(scope: StateScope, next: NextStart): string {
  const state: ExportState = { state_version: 1, ...scope, ...next };
  return `${JSON.stringify(state, null, 2)}\n`;
}

/** Parses a state file. Throws `usage` if it is damaged, or belongs to another export than `scope`. */
export function parseState(
  text: string,
  scope: Omit<StateScope, 'account'> & Partial<StateScope>,
  path: string,
): ExportState {
  const state: Partial<ExportState> = Object(tryParseJson(text));
  const hasStart = typeof state.position === 'string' || !Number.isNaN(Date.parse(String(state.watermark)));
  if (state.state_version !== 1 || !hasStart) throw noState(path);
  const other = (['origin', 'account', 'list'] as const).find(
    (part) => scope[part] !== undefined && state[part] !== scope[part],
  );
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

function noState(path: string): SalonError {
  return wrongState(`${path} is not an export state file.`);
}

function wrongState(message: string): SalonError {
  return new SalonError('usage', message, {
    hint: 'Use one state file per export. A new file starts with a full export.',
  });
}
