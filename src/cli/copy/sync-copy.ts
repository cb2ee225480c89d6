import { resolve } from 'node:path';
import type { SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/json-object.ts';
import type { PagedList } from '../../client/pagination/paginate.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf, renderCount } from '../../text/numbers.ts';
import { silentStatusLine, startProgress } from '../messages/status-line.ts';
import { nouns } from '../nouns/nouns.ts';
import type { CommandResult } from '../output/command-result.ts';
import { findInconsistency, reportConsistency } from '../output/print-records.ts';
import { readIdentity } from '../session/account.ts';
import type { CommandContext } from '../session/command-context.ts';
import { toServiceOrigin } from '../session/session.ts';
import { type CopyFile, openCopyFile } from './copy-file.ts';
import { type CopyTable, copyTableNames, copyTables } from './copy-layout.ts';
import { rememberCopy } from './last-copy.ts';

/** Makes a file a copy of the salon, in one transaction. */
export async function syncCopy(context: CommandContext, file: string): Promise<CommandResult> {
  const { io, messages } = context;
  const path = resolve(io.cwd, file);
  using copy = openCopyFile(path);
  context.waitForService();
  const client = await context.client();
  const session = await context.session();
  const { account } = (await readIdentity(client)) ?? {};
  if (account?.role === 'stylist') {
    throw new SalonError('permission_denied', "This API key can only see its own stylist's records.", {
      hint: 'Use a key that can read the whole salon.',
    });
  }
  const source = {
    origin: toServiceOrigin(session),
    account: account?.id ?? null,
    salon: account?.name ?? null,
    timeZone: await context.timeZone(),
    tzVersion: io.tzVersion,
    currency: session.settings.currency?.value ?? (await context.salon())?.currency,
  };
  copy.assertOf(source);
  for (const table of copyTableNames) await replaceTable(table, client, { copy, context });
  copy.commit(source, io.now().toISOString());
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
    record: { file: path, salon: source.salon, added, changed, deleted, rows },
    message: `${file} has ${countOf(rows, 'records')}: ${renderCount(added)} added, ${renderCount(changed)} changed, ${renderCount(deleted)} deleted.`,
  };
}

interface Copying {
  readonly copy: CopyFile;
  readonly context: CommandContext;
}

async function replaceTable(
  table: CopyTable,
  client: SalonClient,
  { copy, context }: Copying,
): Promise<void> {
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
  { flags, io, messages, status }: CommandContext,
): AsyncGenerator<readonly Fields[], void> {
  const shown = flags.quiet === true ? silentStatusLine : status;
  const progress = startProgress(io, { noun, status: shown, writeLine: messages.verbose });
  let rowsRead = 0;
  try {
    for await (const { rows, total } of list) {
      rowsRead += rows.length;
      progress.update(rowsRead, total);
      yield rows;
    }
  } finally {
    progress.stop();
  }
  const report = list.consistency();
  reportConsistency(report, noun, messages);
  const problem = findInconsistency(report, { noun, isStrict: flags.strict === true });
  if (problem !== undefined) throw problem;
}
