import { createPersonFinder } from '../../client/references/person-finder.ts';
import { schemaFormats } from '../../contract/formats.ts';
import { looksLikePhone } from '../../contract/phone-forms.ts';
import { isBack } from '../messages/errors.ts';
import type { SearchChoice } from '../messages/plain-prompts.ts';
import { type NamedPerson, pickClient } from '../people/resolve.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { AddedClient, BookingDraft } from './draft.ts';

/** Has somebody search for the client, or type who is new. A new client is added only with the booking. */
export async function askForClient(draft: BookingDraft, context: CommandContext): Promise<BookingDraft> {
  const answer = await pickClient('Client', context, { others: offerNewClient });
  if (typeof answer !== 'string') return { ...draft, client: answer, newClient: undefined };
  try {
    const newClient = await askForNewClient(answer, context);
    const known = await findSamePhone(newClient, context);
    if (known === undefined) return { ...draft, client: undefined, newClient };
    const uses = `${known.name} has this number: book for ${known.name}`;
    const isKnown = (await context.prompts.choose('Client', [uses, `Add ${newClient.name}`])) === uses;
    return isKnown ? { ...draft, client: known, newClient: undefined } : { ...draft, newClient };
  } catch (error) {
    if (!isBack(error)) throw error;
    return draft;
  }
}

function offerNewClient(typed: string): readonly SearchChoice<string>[] {
  return [{ value: typed, label: typed === '' ? 'New client' : `New client "${typed}"` }];
}

async function askForNewClient(typed: string, { prompts }: CommandContext): Promise<AddedClient> {
  const isPhone = looksLikePhone(typed);
  return prompts.inTurn(async () => ({
    name: await prompts.text('Name of the new client', {
      ...(typed === '' || isPhone ? {} : { suggestion: typed }),
      validate: findNameProblem,
    }),
    phone: await prompts.text('Phone (Enter to skip)', {
      isOptional: true,
      ...(isPhone ? { suggestion: typed } : {}),
      validate: findPhoneProblem,
    }),
  }));
}

/** The name as the fields of a client: the first word is the first name. */
export function splitName(name: string): { readonly first_name: string; readonly last_name?: string } {
  const [first = '', ...rest] = name.trim().split(/\s+/);
  return rest.length === 0 ? { first_name: first } : { first_name: first, last_name: rest.join(' ') };
}

/** What is wrong with a name; undefined for one that the contract accepts. */
export function findNameProblem(name: string): string | undefined {
  const isLong = Object.values(splitName(name)).some((part) => part.length > 100);
  return isLong ? 'First and last name have at most 100 characters each.' : undefined;
}

/** What is wrong with a phone number; undefined for one that the contract accepts. */
export function findPhoneProblem(phone: string): string | undefined {
  const { matches, description } = schemaFormats['salon-phone'] ?? {};
  return matches?.(phone) === false ? `A phone number is ${description}.` : undefined;
}

/** Somebody with exactly this phone number. */
export async function findSamePhone(
  { phone }: AddedClient,
  context: CommandContext,
): Promise<NamedPerson | undefined> {
  if (phone === '') return undefined;
  const found = await createPersonFinder(await context.client()).findClients(phone, { limit: 10 });
  const same = found.find(({ isExact }) => isExact);
  return same && { id: same.id, name: same.name };
}
