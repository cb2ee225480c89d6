import { SalonError } from '../../contract/errors.ts';
import type { SearchChoice } from '../messages/plain-prompts.ts';
import type { CommandContext } from '../session/command-context.ts';
import { nameOfClient, toText } from './names.ts';
import { isOwnId, parseReference } from './references.ts';
import { type NamedPerson, type ResolveOptions, resolveClient } from './resolve.ts';

/** Records of clients that a reference can mean: an ID of one, or the client who has it. */
export interface ClientRecords<Item extends object, Read> {
  readonly kind: 'appointment' | 'payment' | 'waitlist_entry';
  /** What a client has one or several of: `upcoming appointment`. */
  readonly one: string;
  readonly several: string;
  /** Reads a record by its ID. */
  readonly read: (id: string) => Promise<Read>;
  /** Those of a client that can be meant. */
  readonly readOf: (client: NamedPerson) => Promise<readonly Item[]>;
  /** Opens what puts a record in words. */
  readonly openDescriber: () => Promise<(item: Item) => string>;
  /** What tells apart records that are described alike, at a terminal. */
  readonly hintOf?: (item: Item) => string;
}

export interface FoundRecord<Item, Read> {
  readonly id: string;
  /** The record with the ID of another server. An ID of our own is not looked up. */
  readonly read?: Read;
  /** The record of the client. */
  readonly item?: Item;
  /** Whose it is, where the reference said that. */
  readonly client?: NamedPerson;
}

/**
 * Finds the record that a reference means. Asks at a terminal if a client has several; elsewhere throws `usage`. Throws
 * `not_found` if there is none.
 */
export async function findRecord<Item extends { readonly id: unknown }, Read>(
  text: string,
  context: CommandContext,
  { records, ...options }: ResolveOptions & { readonly records: ClientRecords<Item, Read> },
): Promise<FoundRecord<Item, Read>> {
  const { kind, one, several, hintOf } = records;
  const reference = parseReference(text, kind);
  if (isOwnId(reference, kind)) return { id: reference };
  // Other servers choose their own IDs, but none with a space or an @.
  if ((await context.client()).isForeign && !/[\s@]/.test(reference)) {
    const { orIfRefused } = await import('../../client/references/foreign-clients.ts');
    const read = await orIfRefused(records.read(reference), undefined);
    if (read !== undefined) return { id: reference, read };
  }
  const describeItems = async (person: NamedPerson) => {
    const [first = '', ...more] = (await records.readOf(person)).map(await records.openDescriber());
    return more.length === 0 ? first : `${first} and ${more.length} more`;
  };
  const client = await resolveClient(reference, context, { ...options, describeItems });
  const items = await records.readOf(client);
  const [only, another] = items;
  if (only === undefined) {
    throw new SalonError('not_found', `${client.name} has no ${one}.`, {
      hint: `See: salon ${kind === 'waitlist_entry' ? 'waitlist' : `${kind}s`} list --client "${client.name}"`,
      members: { resource: kind, id: client.id },
    });
  }
  if (another === undefined) return { id: toText(only.id), item: only, client };
  const describe = await records.openDescriber();
  if (context.prompts.isInteractive) {
    const choices = items.map((value) => ({ value, label: describe(value), hint: hintOf?.(value) }));
    const item = await chooseAmong(`Which ${kind.replace('_', ' ')} of ${client.name}?`, choices, context);
    return { id: toText(item.id), item, client };
  }
  const lines = items.map((item) => `    ${describe(item)}, ${toText(item.id)}`);
  throw new SalonError('usage', `${client.name} has ${items.length} ${several}.`, {
    hint: `Use the ID of one of these:\n${lines.join('\n')}`,
    members: { resource: kind, reference: client.id, candidates: items },
  });
}

/** Has somebody at a terminal choose by typing a part of a label. */
export function chooseAmong<Value>(
  question: string,
  choices: readonly SearchChoice<Value>[],
  { prompts }: CommandContext,
): Promise<Value> {
  return prompts.search(question, {
    find: async (typed) => choices.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase())),
  });
}

/** A client's name for messages: read only if somebody reads them, and empty where it cannot be read. */
export async function readNameFor(
  client: NamedPerson | undefined,
  clientId: unknown,
  context: CommandContext,
): Promise<string> {
  if (client !== undefined && client.name !== client.id) return client.name;
  const id = toText(clientId);
  if (id === '' || !isReadByPeople(context)) return '';
  try {
    return nameOfClient(await (await context.client()).clients.get(id, { searchesList: false }));
  } catch {
    return '';
  }
}

export function isReadByPeople({ io, flags }: CommandContext): boolean {
  return io.terminal.messages && flags.quiet !== true;
}
