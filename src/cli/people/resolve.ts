import type { SalonClient } from '../../client/client.ts';
import { takeFirst } from '../../client/pagination/paginate.ts';
import type { FindOptions, FoundPerson } from '../../client/references/matches.ts';
import type { Person } from '../../client/references/person.ts';
import { createPersonFinder, type PersonFinder } from '../../client/references/person-finder.ts';
import { SalonError } from '../../contract/errors.ts';
import { closest } from '../../text/closest.ts';
import { findMistypedDay } from '../flags/moments.ts';
import type { SearchChoice } from '../messages/plain-prompts.ts';
import { renderShortDate } from '../messages/short-times.ts';
import { readKnownCountry } from '../session/account.ts';
import type { CommandContext } from '../session/command-context.ts';
import { isOwnId, parseReference } from './references.ts';

/** Somebody in the salon. */
export interface NamedPerson {
  readonly id: string;
  /** The ID where it was not looked up. */
  readonly name: string;
}

export interface ResolveOptions {
  /** Accepts only a whole name, email address, phone number or ID; anything else is chosen from a list. */
  readonly isWrite?: boolean;
  /** Asked where several match. */
  readonly question?: string;
  /** The ID of somebody who is not meant. */
  readonly except?: string | undefined;
  /** Says something of some people, by ID, where several match. They are offered first. */
  readonly readMarks?: (() => Promise<ReadonlyMap<string | undefined, string>>) | undefined;
  /** What a client has that can be meant, in words; empty for one who is not meant then. */
  readonly describeItems?: ((person: NamedPerson) => Promise<string>) | undefined;
}

/**
 * Finds the client whom a reference means: a name, email address, phone number or ID. An ID in the contract's form is
 * not looked up. Asks at a terminal if several match; elsewhere throws `usage`. Throws `not_found` if none does.
 */
export function resolveClient(reference: string, context: CommandContext, options: ResolveOptions = {}) {
  return resolvePerson(reference, context, { ...options, kind: 'client' });
}

/** Finds the stylist whom a reference means, as `resolveClient` does. */
export function resolveStylist(reference: string, context: CommandContext, options: ResolveOptions = {}) {
  return resolvePerson(reference, context, { ...options, kind: 'stylist' });
}

/** Whether a whole name is that of a client. */
export async function isClient(name: string, context: CommandContext): Promise<boolean> {
  const found = await find(name, context, { kind: 'client', isWrite: true, limit: 1 });
  return found.some(({ isExact }) => isExact);
}

/** Has somebody search for a client, those nearly called `mistyped` first. `others` offers more for what is typed. */
export async function pickClient<Other = never>(
  question: string,
  context: CommandContext,
  { mistyped = '', ...choices }: Omit<Choices<Other>, 'kind' | 'first'> & { mistyped?: string } = {},
): Promise<NamedPerson | Other> {
  const near = mistyped === '' ? [] : await findNearest(mistyped, context, 'client');
  const first = near.length > 0 ? near : await findAny('', context, 'client');
  return pick(question, context, { isGuess: near.length === 0, ...choices, kind: 'client', first });
}

type PersonKind = 'client' | 'stylist';

/** People offered at once. */
const maxOffered = 10;

async function resolvePerson(
  text: string,
  context: CommandContext,
  options: ResolveOptions & { readonly kind: PersonKind },
): Promise<NamedPerson> {
  const { kind, isWrite = false, except, describeItems, readMarks } = options;
  const { question = `Which ${kind} is "${text}"?` } = options;
  const reference = parseReference(text, kind);
  if (isOwnId(reference, kind)) return { id: reference, name: reference };
  const all = await find(reference, context, { kind, isWrite, limit: maxOffered });
  const found = all.length === 1 ? all : all.filter(({ id }) => id !== except);
  const exact = found.filter(({ isExact }) => isExact);
  const [only, ...others] = exact.length > 0 || isWrite ? exact : found;
  if (only !== undefined && others.length === 0) return { id: only.id, name: only.name };
  if (found.length === 0) throw await notFound(reference, context, kind);
  const candidates = exact.length > 1 ? exact : found;
  const marks = await readMarks?.();
  if (!context.prompts.isInteractive) throw await ambiguous(reference, context, { kind, candidates, marks });
  // Elsewhere each may cost a whole list. Of as many as are offered, there may be more.
  const isCheap = candidates.length < maxOffered && !(await context.client()).isForeign;
  const texts = await Promise.all(isCheap && describeItems ? candidates.map(describeItems) : []);
  const items = marks ?? new Map(texts.map((text, index) => [candidates[index]?.id, text]));
  const fitting = candidates.filter(({ id }) => items.get(id) !== '');
  const [fit = candidates[0], another] = fitting;
  if (exact.length > 1 && fit !== undefined && another === undefined) {
    const what = [fit.phone || fit.email, items.get(fit.id)].filter(Boolean).join(', ');
    if (fitting.length > 0) context.messages.show(`One ${fit.name} of ${candidates.length} fits: ${what}.`);
    return { id: fit.id, name: fit.name };
  }
  return pick(question, context, { kind, first: fitting.length > 0 ? fitting : candidates, except, items });
}

async function find(
  reference: string,
  context: CommandContext,
  { kind, ...options }: FindOptions & { readonly kind: PersonKind },
): Promise<readonly FoundPerson[]> {
  const finder = await finderOf(context);
  return kind === 'client' ? finder.findClients(reference, options) : finder.findStylists(reference, options);
}

/** A finder remembers what it has learnt about its server. */
const finders = new WeakMap<SalonClient, PersonFinder>();

async function finderOf(context: CommandContext): Promise<PersonFinder> {
  const client = await context.client();
  const finder = finders.get(client) ?? createPersonFinder(client, () => readKnownCountry(context));
  finders.set(client, finder);
  return finder;
}

/** Finds people to choose from. */
function findAny(typed: string, context: CommandContext, kind: PersonKind): Promise<readonly FoundPerson[]> {
  return find(typed, context, { kind, limit: maxOffered, stopsAtLimit: true });
}

type Items = Choices<unknown>['items'];

interface Choices<Other> {
  readonly kind: PersonKind;
  /** Offered before anything is typed. */
  readonly first: readonly FoundPerson[];
  /** Whether nothing says that one of these is meant. */
  readonly isGuess?: boolean;
  readonly others?: ((typed: string) => readonly SearchChoice<Other>[]) | undefined;
  readonly except?: string | undefined;
  readonly items?: ReadonlyMap<string | undefined, string> | undefined;
}

async function pick<Other = never>(
  question: string,
  context: CommandContext,
  choices: Choices<Other>,
): Promise<NamedPerson | Other> {
  const { kind, first, isGuess = false, others, except, items } = choices;
  const isOffered = ({ id }: FoundPerson) => id !== except;
  const isMarked = ({ id }: FoundPerson) => Boolean(items?.get(id));
  const asked = await context.prompts.search<NamedPerson | Other | undefined>(question, {
    isRemote: true,
    async find(typed) {
      const able = (typed === '' ? first : await findAny(typed, context, kind)).filter(isOffered);
      const matching = able.toSorted((one, other) => Number(isMarked(other)) - Number(isMarked(one)));
      const isMatch = matching.length > 0;
      const found = isMatch ? matching : (await findNearest(typed, context, kind)).filter(isOffered);
      const hints = await describeCandidates(found, context, kind, items);
      const isMeant = isMatch && (typed !== '' || !isGuess);
      const label = typed === '' ? 'Type a name, phone or email' : `No ${kind} matches "${typed}"`;
      const more = others?.(typed) ?? (isMeant ? [] : [{ value: undefined, label }]);
      // What is offered besides stays on the first screen. Enter alone picks nobody who was not named.
      const people = found
        .map(({ id, name }, index) => ({ value: { id, name }, label: name, hint: hints[index] }))
        .slice(0, maxOffered - more.length);
      return isMeant ? [...people, ...more] : [...more, ...people];
    },
  });
  return asked ?? pick(question, context, choices);
}

async function ambiguous(
  reference: string,
  context: CommandContext,
  { kind, candidates, marks }: { kind: PersonKind; candidates: readonly FoundPerson[]; marks: Items },
): Promise<SalonError> {
  const hints = await describeCandidates(candidates, context, kind, marks);
  const lines = candidates.map(({ id, name }, index) =>
    [`    ${name}`, hints[index], id].filter((part) => part !== '' && part !== name).join(', '),
  );
  const count = candidates.length < maxOffered ? String(candidates.length) : `${maxOffered} or more`;
  const message =
    candidates.length === 1
      ? `No ${kind} is exactly "${reference}".`
      : `${count} ${kind}s match "${reference}".`;
  return new SalonError('usage', message, {
    hint: `Use a full name, email address, phone number or ID of one of these:\n${lines.join('\n')}`,
    members: {
      resource: kind,
      reference,
      candidates: candidates.map(({ id, name, email, phone }) => ({ id, name, email, phone })),
    },
  });
}

async function notFound(reference: string, context: CommandContext, kind: PersonKind): Promise<SalonError> {
  const nearest = await findNearest(reference, context, kind);
  const day = findMistypedDay(reference);
  const near = [...new Set([...(day === undefined ? [] : [`"${day}"`]), ...nearest.map(({ name }) => name)])];
  const list = kind === 'client' ? 'salon clients list --search <text>' : 'salon stylists list';
  return new SalonError('not_found', `No ${kind} matches "${reference}".`, {
    hint: near.length === 0 ? `See: ${list}` : `Did you mean ${near.join(' or ')}?`,
    members: { resource: kind, id: reference },
  });
}

/** The people with the names most similar to a reference without a match: at most three names. */
async function findNearest(reference: string, context: CommandContext, kind: PersonKind) {
  // Elsewhere it would read the whole list once more.
  if (kind === 'client' && (await context.client()).isForeign) return [];
  const starts = reference.split(/\s+/).flatMap((word) => (word.length < 3 ? [] : [word.slice(0, 3)]));
  const texts = kind === 'stylist' ? [''] : starts.slice(0, 2);
  // They are only a suggestion.
  const found = await Promise.all(texts.map((text) => findAny(text, context, kind))).catch(() => []);
  const people = [...new Map(found.flat().map((person) => [person.id, person])).values()];
  const byName = Map.groupBy(people, ({ name }) => name);
  const nearest: FoundPerson[] = [];
  for (let count = 0; count < 3; count++) {
    const next = closest(reference, [...byName.keys()]);
    if (next === undefined) break;
    nearest.push(...(byName.get(next) ?? []));
    byName.delete(next);
  }
  return nearest;
}

/** The last visit of this many people is looked up, one request each. */
const fewPeople = 5;

/** What tells people with similar names apart: phone, email address and, for a few clients, the last visit. */
export async function describeCandidates(
  people: readonly Person[],
  context: CommandContext,
  kind: PersonKind,
  items?: Items,
): Promise<readonly string[]> {
  const readsVisits = kind === 'client' && people.length <= fewPeople;
  const visits = await Promise.all(
    people.map((person) => items?.get(person.id) ?? (readsVisits ? readLastVisit(person, context) : '')),
  );
  return people.map(({ record, name, phone, email }, index) => {
    const parts = [phone, email, visits[index] ?? '', record['active'] === false ? 'inactive' : ''];
    return parts.filter((part) => part !== '' && part !== name).join(', ');
  });
}

/** Empty where it is unknown, or would cost reading a whole list. */
async function readLastVisit({ id }: Person, context: CommandContext): Promise<string> {
  const client = await context.client();
  if (client.isForeign) return '';
  try {
    const query = {
      client_id: id,
      status: 'completed',
      start_time_to: context.io.now().toISOString(),
      sort: '-start_time',
    } as const;
    const last = (await takeFirst(client.appointments.list(query, { limit: 1 })))?.rows[0];
    if (last === undefined) return 'no visits yet';
    return `last visit ${renderShortDate(last.start_time, { timeZone: await context.timeZone() })}`;
  } catch {
    // The choice is possible without it.
    return '';
  }
}
