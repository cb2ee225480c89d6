import { resolve } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import { pageSizes } from '../../contract/limits.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import { columnSet } from '../output/columns.ts';
import { type CommandResult, onePage } from '../output/command-result.ts';
import { askFeed } from '../session/change-feed.ts';
import { openCopyFile } from './copy-file.ts';
import { readOwner, readTable, type Sync, toKinds } from './sync-copy.ts';

const columns = columnSet({
  table: 'text',
  ...{ rows: 'integer', listed: 'integer', missing: 'integer', changed: 'integer', extra: 'integer' },
  ...{ not_synced: 'integer', ids: 'list' },
});

/** Compares each row of a copy with the complete lists, and changes nothing. */
export async function verifyCopy(context: Sync['context'], file: string): Promise<CommandResult> {
  const { io, flags, messages } = context;
  if (flags.only !== undefined || flags.follow)
    throw new SalonError('usage', '--verify takes neither --only nor --follow.');
  const path = resolve(io.cwd, file);
  using copy = openCopyFile(path);
  if (copy.source() === undefined)
    throw new SalonError('usage', `There is no copy in ${path}.`, { hint: `Make one: salon sync ${file}` });
  context.waitForService();
  const sync = { client: await context.client(), copy, context, path };
  await readOwner(sync);
  const found = [];
  for (const table of copy.tables()) {
    const difference = await copy.compare(table, readTable(table, sync));
    found.push({ table, rows: copy.count(table), ...difference });
  }
  // Read last, so that it has every change that one of the lists may have.
  const pending = await readPending(sync);
  const rows = found.map(({ missing, changed, extra, ...counts }) => {
    const sides = [missing, changed, extra].map((ids) => ids.filter((id) => !pending.has(id)));
    const [missed = 0, other = 0, more = 0] = sides.map(({ length }) => length);
    const all = missing.length + changed.length + extra.length;
    const sums = { missing: missed, changed: other, extra: more, not_synced: all - missed - other - more };
    return { ...counts, ...sums, ids: sides.flat() };
  });
  const isSame = rows.every(({ ids }) => ids.length === 0);
  messages.info(
    isSame
      ? `${file} has what the service has.`
      : `${file} differs from the service. For a new copy, move it away, then: salon sync ${file}`,
  );
  const exitCode = isSame ? exitCodes.done.code : exitCodes.partly.code;
  return { show: 'records', noun: 'tables', columns, pages: onePage(rows), exitCode };
}

/** The records that the next sync changes. */
async function readPending({ client, copy, context }: Sync): Promise<ReadonlySet<string>> {
  const pending = new Set(copy.passedEntries(context.io.now()));
  let after = copy.source()?.position ?? undefined;
  let reason = after === undefined ? 'that sync did not use the feed of changes' : undefined;
  const query = { kinds: toKinds(copy.tables()), per_page: pageSizes.max };
  while (after !== undefined) {
    const page = await askFeed(client.changes({ ...query, after }));
    if ('error' in page) {
      ({ reason } = page);
      break;
    }
    for (const { id } of page.data) pending.add(id);
    after = page.has_more ? page.position : undefined;
  }
  if (reason !== undefined)
    context.messages.warn(`Changes since the last sync count as differences: ${reason}.`);
  return pending;
}
