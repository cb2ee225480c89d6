import type { Person } from '../../client/references/person.ts';
import { SalonError } from '../../contract/errors.ts';
import { kindOfId } from '../../contract/identifiers.ts';
import { renderShortDate } from '../messages/short-times.ts';
import type { CommandContext } from '../session/command-context.ts';

/** The last visit of this many people is looked up, one request each. */
const fewPeople = 5;

/** What tells people with similar names apart: phone, email address and, for a few clients, the last visit. */
export async function describeCandidates(
  people: readonly Person[],
  context: CommandContext,
  kind: 'client' | 'stylist',
): Promise<readonly string[]> {
  const visits =
    kind === 'client' && people.length <= fewPeople
      ? await Promise.all(people.map((person) => readLastVisit(person, context)))
      : [];
  return people.map(({ record, name, phone, email }, index) => {
    const parts = [phone, email, visits[index] ?? '', record['active'] === false ? 'inactive' : ''];
    return parts.filter((part) => part !== '' && part !== name).join(', ');
  });
}

/** Empty where it is unknown, or would cost reading a whole list. */
async function readLastVisit({ id }: Person, context: CommandContext): Promise<string> {
  if (kindOfId(id) !== 'client') return '';
  try {
    const client = await context.client();
    const query = {
      client_id: id,
      status: 'completed',
      start_time_to: context.io.now().toISOString(),
      sort: '-start_time',
    } as const;
    for await (const { rows } of client.appointments.list(query, { limit: 1 })) {
      const { timeZone } = (await context.session()).settings;
      const [last] = rows;
      return last === undefined
        ? 'no visits yet'
        : `last visit ${renderShortDate(last.start_time, { timeZone: timeZone.value })}`;
    }
    return 'no visits yet';
  } catch {
    // The choice is possible without it.
    return '';
  }
}

/** How servers answer a text that is not the ID of a record. */
const refusals: readonly unknown[] = [400, 404, 405, 410, 422];

/** The result of reading a record; undefined if the server has none with that ID. */
export async function ifKnown<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (thrown) {
    const isUnknown =
      thrown instanceof SalonError && (thrown.code === 'not_supported' || refusals.includes(thrown.status));
    if (isUnknown) return undefined;
    throw thrown;
  }
}
