import { type ComparedClient, type Sureness, sureness } from '../../bulk/merge/duplicate-evidence.ts';
import { findDuplicates, toComparedClient } from '../../bulk/merge/find-duplicates.ts';
import { type PagedList, readWhole } from '../../client/pagination/paginate.ts';
import { countOf, renderCount } from '../../text/numbers.ts';
import { createPhones } from '../../text/phone-reader.ts';
import { startProgress } from '../messages/status-line.ts';
import { type ColumnSet, columnSet } from '../output/columns.ts';
import { type CommandResult, onePage } from '../output/command-result.ts';
import { readCountry } from '../session/account.ts';
import type { CommandContext } from '../session/command-context.ts';

const columns: ColumnSet = {
  ...columnSet({
    group: 'integer',
    sure: 'text',
    // A reason that is cut says too little.
    why: 'status',
    differs: 'text',
    client_name: 'text',
    duplicate_name: 'text',
    client_id: 'text',
    duplicate_id: 'text',
  }),
  table: ['sure', 'why', 'client_name', 'differs', 'client_id', 'duplicate_id'],
  optional: ['client_id', 'duplicate_id'],
};

/** Lists clients who may be there twice. */
export async function listDuplicates(
  context: CommandContext<{ readonly sure: Sureness }>,
): Promise<CommandResult> {
  const { sure: atLeast } = context.flags;
  const list = (await context.client()).clients.list({});
  const clients = await readClients(list, context);
  const found = findDuplicates(clients, atLeast);
  const rows = found.pairs.map(({ client, duplicate, ...evidence }) => ({
    ...evidence,
    differs: describeDifference(client, duplicate),
    client_name: client.name,
    duplicate_name: duplicate.name,
    client_id: client.id,
    duplicate_id: duplicate.id,
  }));
  const { counts, pairs } = found;
  const levels = sureness.map((level) => `${renderCount(counts[level])} ${level}`);
  const lines = [`${countOf(clients.length, 'clients')}: ${levels.join(', ')}.`];
  const possible = 'Possible ones, such as different people with one name or phone, are listed with';
  if (atLeast !== 'possible' && counts.possible > 0) lines.push(`${possible} --sure possible.`);
  const [first] = pairs;
  if (first !== undefined)
    lines.push(`Merge a pair: salon clients merge ${first.client.id} ${first.duplicate.id}`);
  context.messages.info(lines.join('\n'));
  const [pages, report] = [onePage(rows), list.consistency];
  return { show: 'records', noun: 'likely duplicates', columns, pages, read: 'clients', report };
}

/** What tells two clients apart, in few words: the other name, or `phone …5540, …8307`. */
function describeDifference(one: ComparedClient, other: ComparedClient): string {
  if (one.name !== other.name) return other.name;
  const field = (['phone', 'email', 'birthday'] as const).find((name) => one[name] !== other[name]);
  if (field === undefined) return 'only the ID';
  const [a, b] = [one[field] || 'none', other[field] || 'none'];
  const toEnd = (phone: string) => phone.replace(/^.+(?=.{4}$)/, '…');
  if (field !== 'phone' || toEnd(a) === toEnd(b)) return `${a}, ${b}`;
  return `phone ${toEnd(a)}, ${toEnd(b)}`;
}

async function readClients(list: PagedList<object>, context: CommandContext): Promise<ComparedClient[]> {
  const { io, status, messages } = context;
  const phones = createPhones(await readCountry(context));
  const compared: ComparedClient[] = [];
  const progress = startProgress(io, { noun: 'clients', status, writeLine: messages.verbose });
  try {
    for await (const { rows, total } of readWhole(list, 'clients')) {
      compared.push(...rows.flatMap((row) => toComparedClient(row, phones) ?? []));
      progress.update(compared.length, total);
    }
  } finally {
    progress.stop();
  }
  return compared;
}
