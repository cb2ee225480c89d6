import type { EditOperation } from '../../bulk/input/edit-fields.ts';
import type { Fields } from '../../client/fields.ts';
import { quote } from '../../client/http/quote.ts';
import { SalonError } from '../../contract/errors.ts';
import { renderShortTime } from '../messages/short-times.ts';
import { readClientNames } from '../people/client-names.ts';
import { nameOfClient, readStylistNames, toText } from '../people/names.ts';
import type { CommandContext } from '../session/command-context.ts';

/** How the rows of a plan are called. */
export interface RowNames {
  /** `Ana Costa`, or `Ana Costa, Tue 24 Nov 10:00` for an appointment; undefined if there is no name. */
  who(record: Fields | undefined): string | undefined;
  /** The name of a person whose ID a field has; other values unchanged. */
  valueOf(field: string, value: unknown): unknown;
}

/** Characters shown of a name. */
const mostCharacters = 60;

/** Reads the names that some rows need, with few requests. IDs stay where names cannot be read. */
export async function readRowNames(
  records: readonly Fields[],
  { noun }: Pick<EditOperation, 'noun'>,
  context: CommandContext,
): Promise<RowNames> {
  if (noun === 'clients' || records.length === 0) {
    return {
      who: (record) => quoteName(record === undefined ? '' : nameOfClient(record)),
      valueOf: (_, value) => value,
    };
  }
  const { io, messages, session } = context;
  const { timeZone, concurrency } = (await session()).settings;
  const client = await context.client();
  const ids = new Set(records.map((record) => toText(record['client_id'])));
  const options = { client, concurrency: concurrency.value, announce: () => {}, warn: messages.verbose };
  const names = await readClientNames(ids, options).catch(keepIds);
  const stylists = await readStylistNames(client, messages.verbose).catch(keepIds);
  const known = new Map([...(names ?? []), ...(stylists ?? []).map(({ id, name }) => [id, name] as const)]);
  const style = { timeZone: timeZone.value, now: io.now() };
  return {
    who(record) {
      const id = toText(record?.['client_id']);
      const start = toText(record?.['start_time']);
      const parts = [known.get(id) || id, start === '' ? '' : renderShortTime(start, style)];
      return quoteName(parts.filter((part) => part !== '').join(', '));
    },
    valueOf: (field, value) => (field.endsWith('_id') ? known.get(toText(value)) || value : value),
  };
}

/** A plan can be shown without names. */
function keepIds(thrown: unknown): undefined {
  if (!(thrown instanceof SalonError) || thrown.code === 'interrupted') throw thrown;
}

function quoteName(name: string): string | undefined {
  return name === '' ? undefined : quote(name, mostCharacters);
}
