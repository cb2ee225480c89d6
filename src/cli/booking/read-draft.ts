import { SalonError } from '../../contract/errors.ts';
import { kindOfId } from '../../contract/identifiers.ts';
import { foldText } from '../../contract/search-text.ts';
import { salonFacts } from '../availability/salon-facts.ts';
import { findByWords, readUsualServices } from '../availability/usual-services.ts';
import { parseMinutes } from '../flags/days.ts';
import type { FieldValues } from '../flags/fields.ts';
import { nameOfClient } from '../people/names.ts';
import { type Person, resolveClient, resolveStylist } from '../people/resolve.ts';
import type { CommandContext } from '../session/command-context.ts';
import { findNameProblem, findPhoneProblem } from './ask-client.ts';
import { toBookWords } from './continue-command.ts';
import { anyone, type BookingDraft } from './draft.ts';
import { readMoment } from './moment.ts';
import { findSimilar } from './questions.ts';
import { withContinuation } from './unfinished.ts';
import { parseBookingWords } from './words.ts';

/** What a command line gives for a booking. */
export interface GivenBooking {
  readonly words: readonly string[];
  /** Fields from flags. */
  readonly given: FieldValues;
  readonly newClient: string | undefined;
  readonly phone: string | undefined;
}

/**
 * The answers that a command line gives. At a terminal says what is wrong with one and leaves its question open;
 * elsewhere throws.
 */
export async function readDraft(
  { words, given, newClient, phone }: GivenBooking,
  context: CommandContext,
): Promise<BookingDraft> {
  const { io, session } = context;
  const moments = { now: io.now(), timeZone: (await session()).settings.timeZone.value };
  const spoken = parseBookingWords(words, moments);
  const { client_id, stylist_id, service, start_time, duration, ...fields } = given;
  const typed = {
    client: joinGiven('client', spoken.client, client_id),
    stylist: joinGiven('stylist', spoken.stylist, stylist_id),
    service: joinGiven('service', spoken.service, service),
    moment: joinGiven('time', spoken.moment, start_time),
    duration: joinGiven('duration', '', duration),
  };
  if (newClient !== undefined && typed.client !== '') {
    throw new SalonError('usage', `"${typed.client}" is the client, and --new-client adds another one.`);
  }
  if (phone !== undefined && newClient === undefined) {
    throw new SalonError('usage', '--phone belongs to --new-client.');
  }
  let draft: BookingDraft = {
    typed: { client: typed.client, stylist: typed.stylist },
    fields,
    service: typed.service === '' ? undefined : typed.service,
    newClient: await readAnswer(newClient ?? '', context, (name) => toNewClient(name, phone ?? '')),
    durationMinutes: await readAnswer(typed.duration, context, parseMinutes),
    ...(await readAnswer(typed.moment, context, (text) => readMoment(text, moments))),
  };
  try {
    draft = {
      ...draft,
      client: await readAnswer(typed.client, context, (text) => readClient(text, context)),
    };
    const stylist = await readAnswer(typed.stylist, context, (text) => readStylist(text, context));
    draft = { ...draft, stylist };
    const isQuoted = words.length > 1 && /\s/.test(spoken.service) && words.includes(spoken.service);
    if (spoken.service === '' || isQuoted) return draft;
    const known = await readAnswer(spoken.service, context, (text) => readService(text, words, context));
    // Words that are not understood may be about the time.
    return known === undefined ? { ...draft, service: undefined, start: undefined, span: undefined } : draft;
  } catch (error) {
    if (!context.prompts.isInteractive) throw error;
    throw await withContinuation(error, toBookWords(draft, moments.timeZone), context);
  }
}

/** Parses an answer; undefined for an empty one, and at a terminal for one that is wrong, once that is said. */
export async function readAnswer<Value>(
  text: string,
  { prompts, messages }: CommandContext,
  parse: (text: string) => Value | Promise<Value>,
): Promise<Value | undefined> {
  if (text === '') return undefined;
  try {
    return await parse(text);
  } catch (error) {
    const isWrong = error instanceof SalonError && ['usage', 'not_found'].includes(error.code);
    if (!isWrong || !prompts.isInteractive) throw error;
    const near = error.hint?.startsWith('Did you mean') === true ? ` ${error.hint}` : '';
    messages.show(`${error.message}${near}`);
    return undefined;
  }
}

/** A value that the words or a flag give. Throws `usage` if both do. */
export function joinGiven(what: string, word: string, flag: unknown): string {
  if (flag === undefined || flag === null) return word;
  const text = String(flag);
  if (word !== '') {
    throw new SalonError('usage', `The ${what} is given twice: "${word}" and "${text}".`);
  }
  if (text.trim() === '') throw new SalonError('usage', `The ${what} is empty.`);
  return text;
}

function toNewClient(name: string, phone: string) {
  const problem = findNameProblem(name) ?? (phone === '' ? undefined : findPhoneProblem(phone));
  if (problem !== undefined) throw new SalonError('usage', problem);
  return { name: name.trim(), phone };
}

/**
 * A service that the salon is known to book, or that somebody at a terminal calls a new one. Throws `usage` for any
 * other: its words may be about the time, in any language. One that is quoted or in a flag is not read here.
 */
async function readService(
  text: string,
  typed: readonly string[],
  context: CommandContext<{ readonly yes?: boolean }>,
): Promise<string> {
  const words = text.split(' ');
  const usual = await readUsualServices(context);
  const isKnown = ({ service }: { readonly service: string }) => foldText(service) === foldText(text);
  if (usual.some(isKnown)) return text;
  const listed = ((await salonFacts(context).stylists()) ?? []).flatMap(({ services }) => services);
  const known = [...usual.map(({ service }) => service), ...listed];
  const isSure = known.length === 0 ? words.length === 1 : known.some((service) => isKnown({ service }));
  if (isSure) return text;
  if (context.prompts.isInteractive && context.flags.yes !== true) {
    if (words.length === 1 || findByWords(text, usual).length > 0) return text;
    if (await context.prompts.confirm(`Book a new service called "${text}"?`)) return text;
  }
  const quoted = typed.filter((word) => /\s/.test(word));
  const rest = findOtherWords(words, [...quoted, ...known]);
  const similar = findSimilar(text, usual);
  const hint = similar.length === 0 ? '' : `Services of yours: ${similar.join(', ')}. `;
  throw new SalonError(
    'usage',
    rest === undefined
      ? `"${text}" is not a service that this salon is known to book.`
      : `"${rest}" is not understood in "${text}".`,
    { hint: `${hint}Give a new service in quotes, or with --service.` },
  );
}

/** The words before or after the longest of the names that words contain; undefined without one. */
function findOtherWords(words: readonly string[], names: readonly string[]): string | undefined {
  const found = names
    .map((name) => ({ name: foldText(name), length: name.trim().split(/\s+/).length }))
    .sort((a, b) => b.length - a.length)
    .flatMap(({ name, length }) =>
      words.flatMap((_, at) =>
        foldText(words.slice(at, at + length).join(' ')) === name ? [{ at, length }] : [],
      ),
    );
  const [first] = found;
  if (first === undefined) return undefined;
  const parts = [words.slice(0, first.at), words.slice(first.at + first.length)];
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join(' '))
    .join(' … ');
}

async function readClient(text: string, context: CommandContext): Promise<Person> {
  const person = await resolveClient(text, context, { isWrite: true });
  // Somebody who confirms has to see the name; a script saves the request.
  if (!context.prompts.isInteractive || kindOfId(person.name) !== 'client') return person;
  const client = await context.client();
  return { ...person, name: nameOfClient(await client.clients.get(person.id)) || person.id };
}

const anyoneWords = ['any', 'anyone', 'anybody', 'anyone free'];

/** The stylist, with the name where somebody reads it. */
export async function readStylist(text: string, context: CommandContext): Promise<BookingDraft['stylist']> {
  if (anyoneWords.includes(text.trim().toLowerCase())) return anyone;
  const person = await resolveStylist(text, context, { isWrite: true });
  if (person.name !== person.id) return person;
  const isOurs = kindOfId(person.id) === 'stylist';
  // A script saves the request for the name.
  if (isOurs && !context.prompts.isInteractive) return person;
  const listed = await salonFacts(context).stylists();
  if (listed === undefined) {
    context.messages.warn(`This server does not list stylists: "${person.id}" is taken as a stylist's ID.`);
  }
  return { ...person, name: listed?.find(({ id }) => id === person.id)?.name ?? person.id };
}
