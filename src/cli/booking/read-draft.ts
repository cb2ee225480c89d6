import { readStatus } from '../../client/appointment-status.ts';
import { type Appointment, isFinal } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { kindOfId } from '../../contract/identifiers.ts';
import { foldText } from '../../text/search-text.ts';
import { createZoneClock, toUtcText } from '../../time/time.ts';
import { salonFacts } from '../availability/salon-facts.ts';
import { findByWords, readUsualServices } from '../availability/usual-services.ts';
import { toCalendarDay } from '../calendar/calendar-days.ts';
import { type FieldValues, readTypedPhone } from '../flags/fields.ts';
import { findMistypedDay, findShift, parseMinutes } from '../flags/moments.ts';
import { readClock } from '../output/format.ts';
import { nameOfClient } from '../people/names.ts';
import { type NamedPerson, pickClient, resolveClient, resolveStylist } from '../people/resolve.ts';
import { openAppointmentReader, resolveAppointment } from '../people/resolve-appointment.ts';
import type { CommandContext } from '../session/command-context.ts';
import { toBookWords, withContinuation } from './booking-errors.ts';
import { anyone, type Booking, type BookingDraft } from './draft.ts';
import { findNameProblem, findPhoneProblem, findSimilar } from './questions.ts';
import { findTimeOn, parseBookingWords, readMoment } from './words.ts';

/** What a command line gives for a booking. */
export interface GivenBooking {
  readonly words: readonly string[];
  /** Fields from flags. */
  readonly given: FieldValues;
  readonly newClient: string | undefined;
  readonly phone: string | undefined;
  /** Whether an error at a terminal has the command that continues. */
  readonly isContinued?: boolean;
}

/**
 * The answers that a command line gives. At a terminal says what is wrong with one and leaves its question open;
 * elsewhere throws.
 */
export async function readDraft(
  { words, given, newClient, phone, isContinued = false }: GivenBooking,
  context: CommandContext,
): Promise<BookingDraft> {
  const moments = await readClock(context);
  const parsed = parseBookingWords(words, moments);
  const { client_id, stylist_id, service, start_time, duration, ...fields } = given;
  const typed = {
    client: joinGiven('client', parsed.client, client_id),
    stylist: joinGiven('stylist', parsed.stylist, stylist_id),
    service: joinGiven('service', parsed.service, service),
    moment: joinGiven('time', parsed.moment, start_time),
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
    newClient: await readAnswer(newClient ?? '', context, async (name) => {
      const typedPhone = await readTypedPhone(phone ?? '');
      const problem = findNameProblem(name) ?? (typedPhone && findPhoneProblem(typedPhone));
      if (problem) throw new SalonError('usage', problem);
      return { name: name.trim(), phone: typedPhone };
    }),
    durationMinutes: await readAnswer(typed.duration, context, parseMinutes),
    ...(await readAnswer(typed.moment, context, (text) => readMoment(text, moments))),
  };
  try {
    const client = await readAnswer(typed.client, context, (text) => readClient(text, context));
    draft = { ...draft, client };
    const stylist = await readAnswer(typed.stylist, context, (text) => readStylist(text, context));
    draft = { ...draft, stylist };
    const isQuoted = words.length > 1 && /\s/.test(parsed.service) && words.includes(parsed.service);
    if (parsed.service === '' || isQuoted) return draft;
    const known = await readAnswer(parsed.service, context, (text) => readService(text, context));
    // Words that are not understood may be about the time.
    return known === undefined ? { ...draft, service: undefined, start: undefined, span: undefined } : draft;
  } catch (error) {
    const isMistyped = findMistypedDay(Object.values(typed).join(' ')) !== undefined;
    if (!isContinued || !context.prompts.isInteractive || isMistyped) throw error;
    throw await withContinuation(error, toBookWords(draft, moments.timeZone), context);
  }
}

/** Parses an answer; undefined for an empty one, and at a terminal for a wrong one without a mistyped day. */
async function readAnswer<Value>(
  text: string,
  { prompts, messages }: CommandContext,
  parse: (text: string) => Value | Promise<Value>,
): Promise<Value | undefined> {
  if (text === '') return undefined;
  try {
    return await parse(text);
  } catch (error) {
    const isWrong = error instanceof SalonError && ['usage', 'not_found'].includes(error.code);
    if (!isWrong || !prompts.isInteractive || findMistypedDay(text) !== undefined) throw error;
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

/** Throws `usage` for a service that the salon is not known to book: in any language, its words may say when. */
async function readService(text: string, context: CommandContext<{ readonly yes?: boolean }>) {
  const isSame = (service: string) => foldText(service) === foldText(text);
  const usual = await readUsualServices(context);
  const booked = usual.map(({ service }) => service);
  if (booked.some(isSame)) return text;
  const words = text.split(' ');
  const listed = ((await salonFacts(context).stylists()) ?? []).flatMap(({ services }) => services);
  const known = [...booked, ...listed];
  const isClear = findMistypedDay(text) === undefined;
  if (known.length === 0 ? words.length === 1 && isClear : listed.some(isSame)) return text;
  if (context.prompts.isInteractive && context.flags.yes !== true && isClear) {
    if (words.length === 1 || findByWords(text, usual).length > 0) return text;
    if (await context.prompts.confirm(`Book a new service called "${text}"?`)) return text;
  }
  const rest = findOtherWords(words, known);
  const why = rest === undefined ? 'a service that this salon is known to book' : `understood in "${text}"`;
  const names = [...findSimilar(text, usual), 'a new service in quotes, or with --service'].join(', or ');
  const hint = `${rest === undefined ? '' : 'Write a day such as fri, +2w or 24.12. '}Name ${names}.`;
  throw new SalonError('usage', `"${rest ?? text}" is not ${why}.`, { hint });
}

/** The words around the longest name in a text; undefined without one. */
function findOtherWords(words: readonly string[], names: readonly string[]): string | undefined {
  const folded = ` ${words.map(foldText).join(' ')} `;
  const found = names.map(foldText).filter((name) => folded.includes(` ${name} `));
  const [name] = found.sort((a, b) => b.length - a.length);
  if (name === undefined) return undefined;
  const at = folded.slice(0, folded.indexOf(` ${name} `)).split(' ').length - 1;
  return words
    .toSpliced(at, name.split(' ').length, '…')
    .join(' ')
    .replace(/^… | …$/g, '');
}

async function readClient(text: string, context: CommandContext): Promise<NamedPerson> {
  const person = await resolveClient(text, context, { isWrite: true });
  // Somebody who confirms has to see the name; a script saves the request.
  if (!context.prompts.isInteractive || kindOfId(person.name) !== 'client') return person;
  const client = await context.client();
  return { ...person, name: nameOfClient(await client.clients.get(person.id)) || person.id };
}

const anyoneWords = ['any', 'anyone', 'anybody', 'anyone free'];

/** The stylist, with the name where somebody reads it. */
async function readStylist(text: string, context: CommandContext): Promise<BookingDraft['stylist']> {
  if (anyoneWords.includes(text.trim().toLowerCase())) return anyone;
  const person = await resolveStylist(text, context, { isWrite: true });
  if (person.name !== person.id) return person;
  // A script saves the request for the name.
  if (!context.prompts.isInteractive) return person;
  const listed = await salonFacts(context).stylists();
  return { ...person, name: listed?.find(({ id }) => id === person.id)?.name ?? person.id };
}

/** What a command line gives for moving an appointment. */
export interface GivenMove {
  readonly words: readonly string[];
  readonly stylist: string | undefined;
  readonly start: string | undefined;
  readonly fields: FieldValues;
}

/** Finds the appointment that a command line means, and reads where it goes. */
export async function readMove({ words, stylist, start, fields }: GivenMove, context: CommandContext) {
  const { prompts } = context;
  const moments = await readClock(context);
  const parsed = parseBookingWords(words, moments);
  const typed = {
    client: parsed.client,
    stylist: joinGiven('stylist', parsed.stylist, stylist),
    moment: joinGiven('time', parsed.moment, start),
  };
  if (parsed.service !== '') {
    throw new SalonError('usage', 'A move keeps the service.', {
      hint: 'To change it: salon appointments update <id> --service <name>',
    });
  }
  if (typed.client === '' && !prompts.isInteractive) {
    throw new SalonError('usage', 'Missing: client.', {
      hint: 'For example: salon move "Ana Costa" fri 11:00',
    });
  }
  const reference = typed.client || (await pickClient('Client', context)).id;
  const appointment = await resolveAppointment(reference, context, { isWrite: true });
  const status = readStatus(appointment.status);
  if (status !== undefined && isFinal(status)) {
    const hint = 'It cannot be moved. To book another one: salon book';
    throw new SalonError('invalid_status_transition', `The appointment is ${status}.`, { hint });
  }
  const before = await toBooking(appointment, reference, context);
  const chosen = await readAnswer(typed.stylist, context, (text) => readStylist(text, context));
  const moment = await readAnswer(typed.moment, context, (text) => {
    const shiftMs = /^[+-]/.test(text) ? findShift(text) : undefined;
    // "20 minutes late" counts from the appointment, not from now.
    if (shiftMs !== undefined)
      return { start: toUtcText(Date.parse(before.start) + shiftMs), span: undefined };
    // A time alone is one of the appointment's own day.
    const day = toCalendarDay(Date.parse(before.start), createZoneClock(moments.timeZone));
    const sameDay = findTimeOn(day, text, moments);
    return sameDay === undefined ? readMoment(text, moments) : { start: sameDay, span: undefined };
  });
  // With another stylist alone, the time stays.
  const time = moment ?? (chosen === undefined ? {} : { start: before.start });
  const draft: BookingDraft = {
    ...{ ...before, start: undefined, fields, stylist: chosen ?? before.stylist, movedId: before.id },
    ...{ ...time, typed: { client: reference, stylist: typed.stylist } },
  };
  return { appointment, before, draft };
}

/** An appointment, its current booking, and the draft of its new one, which may be incomplete. */
export type Move = Awaited<ReturnType<typeof readMove>>;

/** An appointment as a booking, with names where somebody reads them. */
async function toBooking(
  appointment: Appointment,
  reference: string,
  context: CommandContext,
): Promise<Booking & { readonly id: string }> {
  const reader = await openAppointmentReader(context);
  const read = reader.read(appointment);
  reader.assertAny();
  const { id = '', stylistId = '', clientId = '', service = '', startMs = 0, minutes = 0 } = read ?? {};
  const named = context.prompts.isInteractive;
  const stylists = named ? await salonFacts(context).stylists() : undefined;
  const { clients } = await context.client();
  const record = named ? await clients.get(clientId).catch(() => ({})) : {};
  // A script saves the request for the name, and has named the client itself.
  const name = named || kindOfId(reference) !== undefined ? nameOfClient(record) || clientId : reference;
  return {
    id,
    client: { id: clientId, name },
    stylist: { id: stylistId, name: stylists?.find((one) => one.id === stylistId)?.name ?? stylistId },
    service,
    start: toUtcText(startMs),
    durationMinutes: minutes,
    fields: {},
    typed: { client: reference, stylist: '' },
  };
}
