import { takeFirst } from '../../client/pagination/paginate.ts';
import type { FoundPerson } from '../../client/references/matches.ts';
import { createPersonFinder } from '../../client/references/person-finder.ts';
import { isUnavailable, SalonError } from '../../contract/errors.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { cancelledMessage } from '../messages/errors.ts';
import { readKnownCountry } from '../session/account.ts';
import type { CommandContext } from '../session/command-context.ts';
import { readOwnStylist } from './names.ts';
import { describeCandidates, type NamedPerson } from './resolve.ts';

/** Somebody who is to be added. */
type NewPerson = Readonly<Partial<Record<'name' | 'phone' | 'email', string>>>;

export type DuplicateFlags = Readonly<Partial<Record<'allowDuplicate' | 'yes' | 'dryRun', boolean>>>;

const maxShown = 5;

/**
 * Looks for clients with the phone number, email address or name of a new one. At a terminal asks what to do: returns
 * the client to use instead, if `use` says what that would be ("Book for"), and throws `confirmation_required` if it is
 * cancelled. Elsewhere warns, and returns who is the same in all and was never booked: left by a command that was stopped.
 */
export async function chooseExisting(
  wanted: NewPerson,
  context: CommandContext<DuplicateFlags>,
  use?: string,
): Promise<NamedPerson | undefined> {
  const { flags, messages, prompts } = context;
  if (flags.allowDuplicate === true) return undefined;
  const found = await findSame(wanted, context);
  if (found.length === 0) return undefined;
  if (!prompts.isInteractive || flags.yes === true || flags.dryRun === true) {
    for (const { person, same } of found)
      messages.warn(`${person.name} (${person.id}) has the same ${same.join(' and ')}.`);
    const given = Object.values(wanted).filter(Boolean).length;
    const [whole, ...others] = found.filter(({ same }) => use !== undefined && same.length === given);
    if (whole === undefined || others.length > 0 || (await mayBeBooked(whole.person, context)))
      return undefined;
    messages.info(`${whole.person.name} has no appointment yet, so nobody is added.`);
    return { id: whole.person.id, name: whole.person.name };
  }
  const people = found.map(({ person }) => person);
  const hints = await describeCandidates(people, context, 'client');
  const uses = new Map<string, NamedPerson>();
  for (const [index, { person, same }] of found.entries()) {
    messages.show(`${person.name} has the same ${same.join(' and ')}: ${hints[index]}`);
    const which = people.length > 1 ? ` (${hints[index]})` : '';
    if (use !== undefined) uses.set(`${use} ${person.name}${which}`, { id: person.id, name: person.name });
  }
  const add = `Add ${wanted.name || 'the new client'} anyway`;
  const answer = await prompts.choose('This client may exist already.', [...uses.keys(), add, 'Cancel']);
  if (answer === 'Cancel') throw new SalonError('confirmation_required', cancelledMessage);
  return uses.get(answer);
}

/** False only if the server says that it has no appointment of a client. A stylist's key sees one calendar. */
async function mayBeBooked({ id }: FoundPerson, context: CommandContext): Promise<boolean> {
  const client = await context.client();
  const list = client.appointments.list({ client_id: id }, { limit: 1 });
  const page = await takeFirst(list).catch(() => undefined);
  return page?.total !== 0 || (await readOwnStylist(client)) !== undefined;
}

async function findSame(
  { name = '', phone = '', email = '' }: NewPerson,
  context: CommandContext<DuplicateFlags>,
): Promise<readonly { readonly person: FoundPerson; readonly same: string[] }[]> {
  const finder = createPersonFinder(await context.client(), () => readKnownCountry(context));
  const found = new Map<string, { person: FoundPerson; same: string[] }>();
  // Without a name, a client is called by one of the others.
  const called = [phone, email].includes(name) ? '' : name;
  const wanted = Object.entries({ 'phone number': phone, 'email address': email, name: called });
  try {
    for (const [what, text] of wanted.filter((entry) => isIdentifier(entry[1].trim()))) {
      for (const person of await finder.findClients(text, { limit: maxShown, isNoId: true })) {
        const known = found.get(person.id);
        if (person.isExact && known !== undefined) known.same.push(what);
        else if (person.isExact) found.set(person.id, { person, same: [what] });
      }
    }
  } catch (error) {
    const isMissing = error instanceof SalonError && error.code === 'not_found';
    if (!isMissing && !isUnavailable(error)) throw error;
    context.messages.warn(`Cannot check whether this client exists already. ${error.message}`);
  }
  return [...found.values()].slice(0, maxShown);
}
