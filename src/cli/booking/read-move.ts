import { type Appointment, isFinal, readStatus } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { kindOfId } from '../../contract/identifiers.ts';
import { createZoneClock, toUtcText } from '../../contract/time.ts';
import { salonFacts } from '../availability/salon-facts.ts';
import { toCalendarDay } from '../calendar/calendar-days.ts';
import type { FieldValues } from '../flags/fields.ts';
import { nameOfClient } from '../people/names.ts';
import { type NamedPerson, pickClient } from '../people/resolve.ts';
import { openAppointmentReader, resolveAppointment } from '../people/resolve-appointment.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { Booked, BookingDraft } from './draft.ts';
import { findTimeOn, readMoment } from './moment.ts';
import { joinGiven, readAnswer, readStylist } from './read-draft.ts';
import { parseBookingWords } from './words.ts';

/** What a command line gives for moving an appointment. */
export interface GivenMove {
  readonly words: readonly string[];
  readonly stylist: string | undefined;
  readonly start: string | undefined;
  readonly fields: FieldValues;
}

/** An appointment as it is, and where it goes as far as that is known. */
export interface Move {
  readonly appointment: Appointment;
  readonly before: Booked;
  readonly draft: BookingDraft;
}

/** Finds the appointment that a command line means, and reads where it goes. */
export async function readMove(
  { words, stylist, start, fields }: GivenMove,
  context: CommandContext,
): Promise<Move> {
  const { io, session, prompts } = context;
  const moments = { now: io.now(), timeZone: (await session()).settings.timeZone.value };
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
    // A time alone is one of the appointment's own day.
    const day = toCalendarDay(Date.parse(before.start), createZoneClock(moments.timeZone));
    const sameDay = findTimeOn(day, text, moments);
    return sameDay === undefined ? readMoment(text, moments) : { start: sameDay, span: undefined };
  });
  // With another stylist alone, the time stays.
  const time = moment ?? (chosen === undefined ? {} : { start: before.start });
  const draft = {
    ...before,
    start: undefined,
    fields,
    stylist: chosen ?? before.stylist,
    movedId: before.id,
    ...time,
  };
  return {
    appointment,
    before,
    draft: { ...draft, typed: { client: reference, stylist: typed.stylist } },
  };
}

/** An appointment as a booking, with names where somebody reads them. */
async function toBooking(
  appointment: Appointment,
  reference: string,
  context: CommandContext,
): Promise<Booked> {
  const reader = await openAppointmentReader(context);
  const read = reader.read(appointment);
  reader.assertAny();
  const { id = '', stylistId = '', clientId = '', service = '', startMs = 0, minutes = 0 } = read ?? {};
  const named = context.prompts.isInteractive;
  const stylists = named ? await salonFacts(context).stylists() : undefined;
  return {
    id,
    client: await toClient(clientId, reference, context),
    stylist: { id: stylistId, name: stylists?.find((one) => one.id === stylistId)?.name ?? stylistId },
    service,
    start: toUtcText(startMs),
    durationMinutes: minutes,
    fields: {},
    typed: { client: reference, stylist: '' },
  };
}

/** A script saves the request for the name, and has named the client itself. */
async function toClient(id: string, reference: string, context: CommandContext): Promise<NamedPerson> {
  if (!context.prompts.isInteractive) return { id, name: kindOfId(reference) === undefined ? reference : id };
  const client = await context.client();
  const record = await client.clients.get(id).catch(() => ({}));
  return { id, name: nameOfClient(record) || id };
}
