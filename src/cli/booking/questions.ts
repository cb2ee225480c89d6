import { schemaFormats } from '../../contract/formats.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { isSameService } from '../../contract/salon-service.ts';
import { closest } from '../../text/closest.ts';
import { looksLikePhone } from '../../text/phone-forms.ts';
import { foldText } from '../../text/search-text.ts';
import { toMinutes } from '../../time/time.ts';
import { toStylists } from '../availability/availability.ts';
import { salonFacts } from '../availability/salon-facts.ts';
import {
  findByWords,
  findListedService,
  readUsualServices,
  type UsualService,
} from '../availability/usual-services.ts';
import { parseMinutes } from '../flags/moments.ts';
import { isBack } from '../messages/errors.ts';
import type { SearchChoice } from '../messages/plain-prompts.ts';
import { renderAmount, renderMinutes } from '../output/cell.ts';
import { type NamedPerson, pickClient } from '../people/resolve.ts';
import { readCurrency } from '../session/account.ts';
import type { CommandContext } from '../session/command-context.ts';
import { askForDay, askForTime, describeStylists } from './ask-time.ts';
import { type AddedClient, anyone, type BookingDraft, type BookingTopic } from './draft.ts';
import { settleNewClient, toClientFields } from './new-client.ts';

type Question = (draft: BookingDraft, context: CommandContext) => Promise<BookingDraft>;

/** Each asks one question, and returns the draft with the answer, or with an earlier question opened again. */
export const questions: Readonly<Record<BookingTopic, Question>> = {
  client: askForClient,
  service: askForService,
  duration: askForDuration,
  stylist: askForStylist,
  day: askForDay,
  time: askForTime,
};

async function askForService(draft: BookingDraft, context: CommandContext): Promise<BookingDraft> {
  const usual = await readUsualServices(context);
  const currency = usual.some(({ price }) => price != null) ? await readCurrency(context) : undefined;
  const service = await context.prompts.search<string>('Service', {
    async find(typed) {
      const found = fitting(typed, usual, ({ service }) => service);
      const known = found.map(({ service, usualMinutes, price }) => {
        const cost = price == null ? '' : `, ${renderAmount(price, currency)}`;
        return { value: service, label: service, hint: `${renderMinutes(usualMinutes)}${cost}` };
      });
      const isNew = typed !== '' && !usual.some((one) => isSameService(one.service, typed));
      return isNew ? [...known, { value: typed, label: typed, hint: 'another service' }] : known;
    },
  });
  const chosen = usual.find((one) => one.service === service);
  return chosen === undefined ? { ...draft, service } : withUsualDuration({ ...draft, service }, context);
}

/**
 * The draft with the usual duration of its service, spelled as the salon does, unless a duration was given. At a
 * terminal, words of the name are enough; if they fit several services, the question stays open.
 */
export async function withUsualDuration(draft: BookingDraft, context: CommandContext): Promise<BookingDraft> {
  const { service, durationMinutes } = draft;
  if (service === undefined || durationMinutes !== undefined) return draft;
  const listed = await findListedService(service, context);
  const usual = listed === undefined ? await readUsualServices(context) : [listed];
  const exact = usual.filter((one) => isSameService(one.service, service));
  const found = exact.length > 0 || !context.prompts.isInteractive ? exact : findByWords(service, usual);
  const [known, another] = found;
  if (known === undefined) {
    const [near] = context.prompts.isInteractive ? nearest(service, usual, (one) => one.service) : [];
    if (near === undefined) return draft;
    context.messages.show(`No service matches "${service}". Did you mean ${near.service}?`);
    return { ...draft, service: undefined };
  }
  if (another !== undefined) return { ...draft, service: undefined };
  return { ...draft, service: known.service, durationMinutes: known.usualMinutes, isUsualDuration: true };
}

/** The services whose names contain all words of a text, or else the one with the most similar name. */
export function findSimilar(text: string, services: readonly UsualService[]): readonly string[] {
  const found = findByWords(text, services);
  const similar = found.length > 0 ? found : nearest(text, services, ({ service }) => service);
  return similar.map(({ service }) => service);
}

/** Choices whose names contain a text, accents and case aside; without any the most similar one. */
function fitting<Choice>(
  typed: string,
  choices: readonly Choice[],
  nameOf: (choice: Choice) => string,
): readonly Choice[] {
  const found = choices.filter((choice) => foldText(nameOf(choice)).includes(foldText(typed)));
  return found.length > 0 ? found : nearest(typed, choices, nameOf);
}

function nearest<Choice>(typed: string, choices: readonly Choice[], nameOf: (choice: Choice) => string) {
  // Short texts resemble too much.
  const name = typed.length < 3 ? undefined : closest(typed, choices.map(nameOf));
  return choices.filter((choice) => nameOf(choice) === name);
}

const maxMinutes = 1440;

async function askForDuration(draft: BookingDraft, { prompts }: CommandContext): Promise<BookingDraft> {
  const answer = await prompts.text('Duration (e.g. 45m or 1h30m)', {
    validate(typed) {
      const minutes = toMinutes(typed);
      if (minutes === undefined) return 'Type a number of minutes, or a time such as 1h30m.';
      return minutes > maxMinutes ? 'An appointment takes at most 24 hours.' : undefined;
    },
  });
  return { ...draft, durationMinutes: parseMinutes(answer), isUsualDuration: false };
}

async function askForStylist(draft: BookingDraft, context: CommandContext): Promise<BookingDraft> {
  const facts = salonFacts(context);
  const listed = await facts.stylists();
  const { service = '' } = draft;
  const does = ({ services }: { readonly services: readonly string[] }) =>
    services.length === 0 || services.some((one) => isSameService(one, service));
  const stylists = (listed ?? toStylists(await facts.pastVisits())).filter(({ active }) => active);
  const able = stylists.filter(does);
  const others = stylists.filter((one) => !does(one));
  const hint = able.length === 0 ? undefined : `does not list ${service}`;
  const describe = await describeStylists(draft, context);
  // Who is away comes last.
  const isAway = ({ id }: NamedPerson) => Number(describe(id) === 'away');
  const present = able.toSorted((a, b) => isAway(a) - isAway(b));
  const choices: readonly SearchChoice<NamedPerson | typeof anyone>[] = [
    { value: anyone, label: 'Anyone free' },
    ...present.map(({ id, name }) => ({ value: { id, name }, label: name, hint: describe(id) })),
    ...others.map(({ id, name }) => ({ value: { id, name }, label: name, hint })),
  ];
  const stylist = await context.prompts.search<NamedPerson | typeof anyone>('Stylist', {
    async find(typed) {
      const found = fitting(typed, choices, ({ label }) => label);
      const isUnlisted = listed === undefined && typed !== '' && isIdentifier(typed);
      const isKnown = choices.some(({ label }) => label === typed);
      return isUnlisted && !isKnown
        ? [...found, { value: { id: typed, name: typed }, label: typed, hint: 'stylist ID' }]
        : found;
    },
  });
  return { ...draft, stylist };
}

/** Has somebody search for the client, or type who is new. A new client is added only with the booking. */
async function askForClient(draft: BookingDraft, context: CommandContext): Promise<BookingDraft> {
  const { typed: before, client } = draft;
  const others = (typed: string): readonly SearchChoice<string>[] => {
    const name = typed || (client === undefined ? before.client : '');
    return [{ value: name, label: name === '' ? 'New client' : `New client "${name}"` }];
  };
  const answer = await pickClient('Client', context, { others, mistyped: before.client });
  if (typeof answer !== 'string') return { ...draft, client: answer, newClient: undefined };
  try {
    const newClient = await askForNewClient(answer, context);
    return await settleNewClient({ ...draft, client: undefined, newClient }, context);
  } catch (error) {
    if (!isBack(error)) throw error;
    return draft;
  }
}

async function askForNewClient(typed: string, { prompts }: CommandContext): Promise<AddedClient> {
  const isPhone = looksLikePhone(typed);
  return prompts.inTurn(async () => ({
    name: await prompts.text('Name of the new client', {
      suggestion: isPhone ? '' : typed,
      validate: findNameProblem,
    }),
    phone: await prompts.text('Phone (Enter to skip)', {
      isOptional: true,
      suggestion: isPhone ? typed : '',
      validate: findPhoneProblem,
    }),
  }));
}

/** What is wrong with a name; undefined for one that the contract accepts. */
export function findNameProblem(name: string): string | undefined {
  const isLong = Object.values(toClientFields({ name, phone: '' })).some((part) => part.length > 100);
  return isLong ? 'First and last name have at most 100 characters each.' : undefined;
}

/** What is wrong with a phone number; undefined for one that the contract accepts. */
export function findPhoneProblem(phone: string): string | undefined {
  const { matches, description } = schemaFormats['salon-phone'] ?? {};
  return matches?.(phone) === false ? `A phone number is ${description}.` : undefined;
}
