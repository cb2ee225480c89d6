import { SalonError } from '../../contract/errors.ts';
import { pageSizes } from '../../contract/limits.ts';
import type { SalonClient } from '../client.ts';
import { hasFilter, toFilterParameters } from '../pagination/list-query.ts';
import { readWhole } from '../pagination/paginate.ts';
import type { FindOptions, FoundPerson, Matches } from './matches.ts';
import { readPerson } from './person.ts';

/** What some servers also respond to a text that cannot be one of their IDs. */
const idRefusals = ['unexpected_response', 500];

/**
 * Finds clients of a server of another kind: by its ID, by its search unless the result decides what is changed, and in
 * the whole list.
 */
export async function findForeignClients(
  client: SalonClient,
  matches: Matches,
  { isWrite = false, stopsAtLimit = false, isNoId = false }: FindOptions,
): Promise<readonly FoundPerson[]> {
  const { reference } = matches;
  if (!stopsAtLimit && !isNoId && reference !== '') {
    const request = client.clients.get(reference, { searchesList: false });
    const person = readPerson(await orIfRefused(request, undefined, idRefusals));
    if (person !== undefined) return [{ ...person, isExact: person.id === reference }];
  }
  const dialect = client.dialect();
  if (!isWrite && reference !== '' && hasFilter('q', dialect)) {
    const parameters = toFilterParameters({ q: reference }, dialect);
    await orIfRefused(readInto(matches, { parameters, limit: pageSizes.max }), undefined);
    if (matches.found().length > 0) return matches.found();
  }
  await readInto(matches);
  return matches.found();

  async function readInto(into: Matches, options?: Parameters<typeof client.clients.list>[1]): Promise<void> {
    for await (const { rows } of readWhole(client.clients.list(undefined, options), 'clients')) {
      into.add(rows);
      if (into.isFull()) return;
    }
  }
}

/** Responses of servers that do not know a search, or that a text is not the ID of a record. */
const refusals: readonly (string | number | undefined)[] = [
  ...['not_found', 'not_supported'],
  ...[400, 404, 405, 410, 422],
];

/** The result of a request, or another value if the server refuses the search or finds no record. */
export async function orIfRefused<Result, Other>(
  request: Promise<Result>,
  other: Other,
  others: typeof refusals = [],
): Promise<Result | Other> {
  try {
    return await request;
  } catch (thrown) {
    if (!(thrown instanceof SalonError)) throw thrown;
    const responses = [...refusals, ...others];
    if (responses.includes(thrown.code) || responses.includes(thrown.status)) return other;
    throw thrown;
  }
}
