import { resolve } from 'node:path';
import type { SalonClient } from '../../client/client.ts';
import { systemClock } from '../../client/deadline.ts';
import type { Fields } from '../../client/json-object.ts';
import type { PagedList } from '../../client/pagination/paginate.ts';
import { isUnavailable, SalonError, withContext } from '../../contract/errors.ts';
import { pageSizes } from '../../contract/limits.ts';
import { countOf, renderCount } from '../../text/numbers.ts';
import { nouns } from '../nouns/nouns.ts';
import type { CommandResult, FeedEntry } from '../output/command-result.ts';
import { findInconsistency, reportConsistency, withProgress } from '../output/print-records.ts';
import { readIdentity } from '../session/account.ts';
import { askFeed } from '../session/change-feed.ts';
import type { CommandContext } from '../session/command-context.ts';
import { findSavedAccount, toServiceOrigin } from '../session/session.ts';
import { type CopyFile, openCopyFile } from './copy-file.ts';
import { type CopyTable, copyTableNames, copyTables, scopeOfCopy } from './copy-layout.ts';
import { rememberCopy } from './last-copy.ts';

interface SyncFlags {
  readonly only?: readonly CopyTable[];
  readonly follow?: boolean;
}

export interface Sync {
  readonly client: SalonClient;
  readonly copy: CopyFile;
  readonly context: CommandContext<SyncFlags>;
  readonly path: string;
  /** How long the feed may wait for changes. */
  readonly wait?: string;
}

/** Copies the salon into a file, and with `--follow` keeps the copy up to date. */
export async function syncCopy(context: Sync['context'], file: string): Promise<CommandResult> {
  if (context.flags.follow) return { show: 'feed', entries: followCopy(context, file) };
  using copy = openCopyFile(resolve(context.io.cwd, file));
  return { show: 'record', ...(await startSync(copy, context, file)).synced };
}

async function startSync(copy: CopyFile, context: Sync['context'], file: string) {
  const path = resolve(context.io.cwd, file);
  context.waitForService();
  const sync = { client: await context.client(), copy, context, path };
  const synced = await syncOnce(sync, file);
  copy.removeRemains();
  if (!copy.settle()) {
    context.messages.warn(
      `Another program reads ${file}. What was deleted is still in the file until the next sync without one.`,
    );
  }
  await rememberCopy(path, context);
  return { sync, synced };
}

/** How long a request waits, and how long a failed one, if the server does not say. */
const wait = '20s';
const retryMs = 5_000;
/** How often what is left of former values is removed. */
const rewriteMs = 3_600_000;

/** Syncs once, then after each change, until interrupted. Yields a line for each sync that changed the copy. */
async function* followCopy(context: Sync['context'], file: string): AsyncGenerator<FeedEntry> {
  const { io, messages } = context;
  const { signal, clock = systemClock } = io;
  using copy = openCopyFile(resolve(io.cwd, file));
  const { sync, synced } = await startSync(copy, context, file);
  const { client } = sync;
  const version = client.settingsVersion();
  yield { line: synced.message, record: synced.record };
  let isLost = false;
  let rewrittenMs = clock.now();
  while (!signal.aborted) {
    try {
      copy.begin();
      const { message: line, record } = await syncOnce({ ...sync, wait }, file);
      const isDue = clock.now() - rewrittenMs > rewriteMs;
      if (isDue) copy.removeRemains();
      if (isDue) rewrittenMs = clock.now();
      copy.settle();
      isLost = false;
      if (record.added + record.changed + record.deleted > 0) yield { line, record };
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof SalonError)) throw error;
      // Another sync can begin where a change has just been stored.
      const isInUse = error.code === 'conflict';
      if (!isInUse && !error.retryable) throw error;
      if (!isLost) messages.warn(`${error.message} Trying again until it ${isInUse ? 'ends' : 'responds'}.`);
      isLost = true;
      await clock.sleep(error.retryAfterMs ?? retryMs, signal).catch(() => {});
    }
    const newer = client.settingsVersion();
    // Local times depend on them.
    if (newer !== version && newer) throw context.startAgain(await context.session())(newer);
  }
}

/** One sync, in one transaction. */
async function syncOnce(sync: Sync, file: string) {
  const { copy, context, path } = sync;
  const { io } = context;
  const { currency } = (await context.session()).settings;
  const salon = {
    time_zone: await context.timeZone(),
    tz_version: io.tzVersion ?? null,
    currency: currency?.value ?? (await context.salon())?.currency ?? null,
  };
  const state = (await readChanges(sync)) ?? (await readLists(sync));
  copy.commit({ ...state, ...salon }, io.now().toISOString());
  const { added, changed, deleted } = copy.counts();
  const rows = copy.tables().reduce((sum, table) => sum + copy.count(table), 0);
  const left = copyTableNames.filter((table) => !copy.tables().includes(table));
  const without = left.length > 0 ? ` (without ${left.join(', ')})` : '';
  return {
    record: { file: path, salon: state.salon, added, changed, deleted, rows, left_out: left },
    message: `${file} has ${countOf(rows, 'records')}${without}: ${renderCount(added)} added, ${renderCount(changed)} changed, ${renderCount(deleted)} deleted.`,
  };
}

/** Applies what has changed since the last sync. Returns undefined where the lists have to be read. */
async function readChanges(sync: Sync) {
  const { client, copy, context, wait } = sync;
  const known = copy.source();
  const { only } = context.flags;
  const isSame = only === undefined || copy.tables().join() === only.join();
  if (known === undefined || known.position === null || !isSame) return undefined;
  const session = await context.session();
  const account = findSavedAccount(session)?.id ?? known.account;
  assertSameSalon({ origin: toServiceOrigin(session), account }, sync);
  const kinds = toKinds(copy.tables());
  const query = { kinds, per_page: pageSizes.max };
  let { position } = known;
  for (let held = wait, hasMore = true; hasMore; held = undefined) {
    const page = await askFeed(
      client.changes({ ...query, after: position, ...(held !== undefined && { wait: held }) }),
    );
    if ('error' in page) {
      // Any other reason is there for the present position, too.
      if (page.error.code === 'position_expired')
        context.messages.info(`The complete lists are compared: ${page.reason}.`);
      return undefined;
    }
    for (const change of page.data) {
      const table = copyTableNames.find((name) => copyTables[name].resource === change.resource);
      if (table === undefined) continue;
      if (change.deleted) copy.remove(table, change.id);
      else copy.put(table, change.record as Fields);
    }
    ({ position, has_more: hasMore } = page);
  }
  // Entries expire without a change.
  if (copy.passedEntries(context.io.now()).length > 0) await replaceTable('waitlist', sync);
  return { ...known, position };
}

export function toKinds(tables: readonly CopyTable[]): string {
  return tables.map((table) => copyTables[table].resource).join();
}

/** Compares the complete lists with the copy. The position is taken first, so that no change falls between. */
async function readLists(sync: Sync) {
  const { client, copy, context } = sync;
  const own = await readOwner(sync);
  const { only } = context.flags;
  const isNew = copy.source() === undefined;
  copy.choose(only ?? (isNew ? copyTableNames : copy.tables()));
  let start = await askFeed(client.changes({ kinds: toKinds(copy.tables()) }));
  while ('error' in start) {
    const { scope } = start.error.members;
    if (!leaveOut((table) => scopeOfCopy(table) === scope, start.error)) break;
    start = await askFeed(client.changes({ kinds: toKinds(copy.tables()) }));
  }
  if ('error' in start && context.flags.follow) throw start.error;
  if ('error' in start) context.messages.info(`The complete lists are compared: ${start.reason}.`);
  for (const table of copy.tables()) {
    await replaceTable(table, sync).catch((error) => {
      if (!isUnavailable(error) || !leaveOut((name) => name === table, error))
        throw isUnavailable(error) && only === undefined ? withOnly(error, table, copy) : error;
    });
  }
  return { ...own, position: 'error' in start ? null : start.position };

  /** Leaves tables out of a new copy for which none were named, unless nothing remains. */
  function leaveOut(isRefused: (table: CopyTable) => boolean, { message }: SalonError): boolean {
    const refused = copy.tables().filter(isRefused);
    const rest = copy.tables().filter((table) => !isRefused(table));
    if (!isNew || only !== undefined || refused.length === 0 || rest.length === 0) return false;
    context.messages.warn(`The copy has no ${refused.join(', ')}. ${message}`);
    copy.choose(rest);
    return true;
  }
}

function withOnly(error: SalonError, table: CopyTable, copy: CopyFile): SalonError {
  const rest = copy.tables().filter((name) => name !== table);
  return withContext(error, { hint: `To sync the copy without ${table}: --only ${rest.join()}` });
}

/** The salon of the key. Throws `usage` for a copy of another one, and `permission_denied` for a key of one stylist. */
export async function readOwner(sync: Sync) {
  const { account } = (await readIdentity(sync.client)) ?? {};
  if (account?.role === 'stylist') {
    throw new SalonError('permission_denied', "This API key can only see its own stylist's records.", {
      hint: 'Use a key that can read the whole salon.',
    });
  }
  const own = { origin: toServiceOrigin(await sync.context.session()), account: account?.id ?? null };
  assertSameSalon(own, sync);
  return { ...own, salon: account?.name ?? null };
}

function assertSameSalon(own: { origin: string; account: string | null }, { copy, path }: Sync): void {
  const known = copy.source();
  if (known === undefined || (known.origin === own.origin && known.account === own.account)) return;
  const name = known.salon ?? known.account ?? 'one';
  throw new SalonError('usage', `${path} is a copy of another salon: ${name} at ${known.origin}.`, {
    hint: 'Choose its profile with --profile, or the name of a new file.',
  });
}

async function replaceTable(table: CopyTable, { copy, ...sync }: Sync): Promise<void> {
  await copy.replaceAll(table, readTable(table, sync));
}

/** The complete list of a table, page by page. Throws if rows are missing. */
export async function* readTable(
  table: CopyTable,
  { client, context }: Pick<Sync, 'client' | 'context'>,
): AsyncGenerator<readonly Fields[], void> {
  const { list: name } = copyTables[table];
  const { many: noun } = nouns[name];
  const list = client[name].list() as PagedList<object> as PagedList<Fields>;
  for await (const { rows } of withProgress(list, noun, context)) yield rows;
  const report = list.consistency();
  reportConsistency(report, noun, context.messages);
  const problem = findInconsistency(report, { noun, isStrict: context.flags.strict === true });
  if (problem !== undefined) throw problem;
}
