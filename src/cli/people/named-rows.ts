import type { Row } from '../../bulk/export/write-pages.ts';
import { reportCost } from '../messages/request-cost.ts';
import type { RecordPage } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import { createClientNames, type NameOptions } from './client-names.ts';
import { readStylistNames, toText } from './names.ts';

/** Columns with names, and the field with the ID of each: `{client_name: 'client_id'}`. */
export type NameColumns = Readonly<Record<string, string>>;

/** Shown for somebody whom the server no longer has. */
const deleted = '(deleted)';

/**
 * Adds names to the rows of each page as it is read. A row that has a name from the server keeps it. Rows have no
 * name where the server names nobody.
 */
export async function* addNames<Page extends RecordPage>(
  pages: AsyncIterable<Page>,
  columns: NameColumns,
  context: CommandContext,
): AsyncGenerator<Page, void> {
  const entries = Object.entries(columns);
  await using clients = createClientNames(await readNameOptions(context));
  const isStylist = (id: string) => id.endsWith('stylist_id');
  let stylists: ReadonlyMap<string, string> | undefined;
  for await (const page of pages) {
    if (page.rows.length === 0) {
      yield page;
      continue;
    }
    const names = new Map<string, ReadonlyMap<string, string> | undefined>();
    for (const [column, field] of entries) {
      const missing = page.rows.filter((row) => !row[column] && row[field]);
      if (missing.length === 0) continue;
      if (isStylist(field)) {
        stylists ??= await readStylists(context);
        names.set(column, stylists.size === 0 ? undefined : stylists);
      } else {
        const found = await clients.read(new Set(missing.map((row) => toText(row[field]))));
        names.set(column, clients.isAvailable() ? found : undefined);
      }
    }
    yield { ...page, rows: page.rows.map((row) => withNames(row, entries, names)) };
  }
}

function withNames(
  row: Row,
  entries: readonly (readonly [string, string])[],
  names: ReadonlyMap<string, ReadonlyMap<string, string> | undefined>,
): Row {
  const named: Record<string, unknown> = { ...row };
  for (const [column, field] of entries) {
    const id = toText(row[field]);
    const known = names.get(column);
    if (known === undefined || row[column]) continue;
    named[column] = id === '' ? null : (known.get(id) ?? deleted);
  }
  return named;
}

async function readStylists(context: CommandContext): Promise<ReadonlyMap<string, string>> {
  const stylists = await readStylistNames(await context.client(), context.messages.verbose);
  return new Map(stylists?.map(({ id, name }) => [id, name]));
}

/** What reading names takes from a command. */
export async function readNameOptions(context: CommandContext): Promise<NameOptions> {
  const { io, messages, session } = context;
  const { concurrency, ratePerHour, timeZone } = (await session()).settings;
  const client = await context.client();
  return {
    client,
    concurrency: concurrency.value,
    warn: messages.warn,
    announce(records) {
      const perHour = ratePerHour?.value;
      const nowMs = io.now().getTime();
      const cost = { records, perPage: 1, limit: client.limits(), perHour, nowMs, timeZone: timeZone.value };
      reportCost(cost, messages);
    },
  };
}
