import { resolve } from 'node:path';
import type { SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/json-object.ts';
import type { PagedList } from '../../client/pagination/paginate.ts';
import { SalonError, type SalonErrorCode } from '../../contract/errors.ts';
import { pageSizes } from '../../contract/limits.ts';
import { countOf, renderCount } from '../../text/numbers.ts';
import { nouns } from '../nouns/nouns.ts';
import type { CommandResult } from '../output/command-result.ts';
import { findInconsistency, reportConsistency, withProgress } from '../output/print-records.ts';
import { readIdentity } from '../session/account.ts';
import type { CommandContext } from '../session/command-context.ts';
import { findSavedAccount, toServiceOrigin } from '../session/session.ts';
import { type CopyFile, openCopyFile } from './copy-file.ts';
import { type CopyTable, copyTableNames, copyTables } from './copy-layout.ts';
import { rememberCopy } from './last-copy.ts';

interface Sync {
  readonly client: SalonClient;
  readonly copy: CopyFile;
  readonly context: CommandContext;
}

/** Makes a file a copy of the salon, in one transaction. */
export async function syncCopy(context: CommandContext, file: string): Promise<CommandResult> {
  const { io, messages } = context;
  const path = resolve(io.cwd, file);
  using copy = openCopyFile(path);
  context.waitForService();
  const client = await context.client();
  const { settings } = await context.session();
  const sync = { client, copy, context };
  const salon = {
    time_zone: await context.timeZone(),
    tz_version: io.tzVersion ?? null,
    currency: settings.currency?.value ?? (await context.salon())?.currency ?? null,
  };
  const state = (await readChanges(sync, path)) ?? (await readLists(sync, path));
  copy.commit({ ...state, ...salon }, io.now().toISOString());
  if (!copy.removeRemains()) {
    messages.warn(
      `Another program reads ${file}. What was deleted is still in the file until the next sync without one.`,
    );
  }
  await rememberCopy(path, context);
  const { added, changed, deleted } = copy.counts();
  const rows = copyTableNames.reduce((sum, table) => sum + copy.count(table), 0);
  return {
    show: 'record',
    record: { file: path, salon: state.salon, added, changed, deleted, rows },
    message: `${file} has ${countOf(rows, 'records')}: ${renderCount(added)} added, ${renderCount(changed)} changed, ${renderCount(deleted)} deleted.`,
  };
}

/** Applies what has changed since the last sync. Returns undefined where the lists have to be read. */
async function readChanges(sync: Sync, path: string) {
  const { client, copy, context } = sync;
  const known = copy.source();
  if (known === undefined || known.position === null) return undefined;
  const session = await context.session();
  const account = findSavedAccount(session)?.id ?? known.account;
  assertSameSalon({ origin: toServiceOrigin(session), account }, sync, path);
  let { position } = known;
  for (let hasMore = true; hasMore; ) {
    const page = await unlessRefused(client.changes({ after: position, per_page: pageSizes.max }), context);
    if (page === undefined) return undefined;
    for (const change of page.data) {
      const table = copyTableNames.find((name) => copyTables[name].resource === change.resource);
      // The salon's settings are read from itself.
      if (table === undefined) continue;
      if (change.deleted) copy.remove(table, change.id);
      else copy.put(table, change.record as Fields);
    }
    ({ position, has_more: hasMore } = page);
  }
  // Entries expire without a change.
  if (copy.hasPassedEntries(context.io.now())) await replaceTable('waitlist', sync);
  return { ...known, position };
}

/** Compares the complete lists with the copy. The position is taken first, so that no change falls between. */
async function readLists(sync: Sync, path: string) {
  const { client, context } = sync;
  const { account } = (await readIdentity(client)) ?? {};
  if (account?.role === 'stylist') {
    throw new SalonError('permission_denied', "This API key can only see its own stylist's records.", {
      hint: 'Use a key that can read the whole salon.',
    });
  }
  const origin = toServiceOrigin(await context.session());
  assertSameSalon({ origin, account: account?.id ?? null }, sync, path);
  const start = await unlessRefused(client.changes(), context);
  for (const table of copyTableNames) await replaceTable(table, sync);
  return {
    origin,
    account: account?.id ?? null,
    salon: account?.name ?? null,
    position: start?.position ?? null,
  };
}

/** Throws `usage` for the copy of another salon. */
function assertSameSalon(
  own: { origin: string; account: string | null },
  { copy }: Sync,
  path: string,
): void {
  const known = copy.source();
  if (known === undefined || (known.origin === own.origin && known.account === own.account)) return;
  const name = known.salon ?? known.account ?? 'one';
  throw new SalonError('usage', `${path} is a copy of another salon: ${name} at ${known.origin}.`, {
    hint: 'Choose its profile with --profile, or the name of a new file.',
  });
}

const refusals: Partial<Record<SalonErrorCode, string>> = {
  not_supported: 'The server has no feed of changes',
  insufficient_scope: 'The key may not read the feed of changes (changes:read)',
  permission_denied: 'The key may not read the feed of changes',
  position_expired: 'Not all changes since the last sync are known to the server',
};

/** Undefined, with the reason, where the feed of changes cannot be used. */
async function unlessRefused<Page>(reading: Promise<Page>, { messages }: CommandContext) {
  try {
    return await reading;
  } catch (error) {
    const reason = error instanceof SalonError ? refusals[error.code] : undefined;
    if (reason === undefined) throw error;
    messages.info(`${reason}: the complete lists are compared.`);
    return undefined;
  }
}

async function replaceTable(table: CopyTable, { client, copy, context }: Sync): Promise<void> {
  const { list: name } = copyTables[table];
  const { many: noun } = nouns[name];
  const list = client[name].list() as PagedList<object> as PagedList<Fields>;
  try {
    await copy.replaceAll(table, readPages(list, noun, context));
  } catch (error) {
    const isMissing = error instanceof SalonError && error.code === 'not_supported';
    // Records that were there before have not gone because the server no longer has such a list.
    if (!isMissing || copy.count(table) > 0) throw error;
    context.messages.info(`The server has no ${noun}: the table ${table} is empty.`);
  }
}

async function* readPages(
  list: PagedList<Fields>,
  noun: string,
  context: CommandContext,
): AsyncGenerator<readonly Fields[], void> {
  for await (const { rows } of withProgress(list, noun, context)) yield rows;
  const report = list.consistency();
  reportConsistency(report, noun, context.messages);
  const problem = findInconsistency(report, { noun, isStrict: context.flags.strict === true });
  if (problem !== undefined) throw problem;
}
