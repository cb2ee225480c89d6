import { newAppointment } from '../../../contract/appointment.ts';
import { SalonError } from '../../../contract/errors.ts';
import { splitName } from '../../booking/ask-client.ts';
import { book } from '../../booking/book.ts';
import { toBookWords } from '../../booking/continue-command.ts';
import { type Booking, type NewClient, topics } from '../../booking/draft.ts';
import { readDraft } from '../../booking/read-draft.ts';
import { describeBooking, renderSummary } from '../../booking/summary.ts';
import { type FieldValues, readFields } from '../../flags/fields.ts';
import type { WriteFlags } from '../../flags/options.ts';
import { appointmentColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { Person } from '../../people/resolve.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { createRecord, type Describe } from '../write-record.ts';
import { type BookingFlags, normaliseBooking, toBookingFields } from './booking-flags.ts';

export interface BookAppointmentFlags extends WriteFlags, BookingFlags {
  readonly newClient?: string;
  readonly phone?: string;
  readonly yes?: boolean;
}

export interface BookOptions {
  /** Words of the command line, such as `Ana Costa tomorrow 15:00`. */
  readonly words: readonly string[];
  /** Whether somebody at a terminal confirms what was given whole, too. */
  readonly isAlwaysConfirmed: boolean;
}

/** Books an appointment from words and flags; at a terminal asks for the rest. */
export async function bookAppointment(
  context: CommandContext<BookAppointmentFlags>,
  { words, isAlwaysConfirmed }: BookOptions,
): Promise<CommandResult> {
  const { flags, io, session } = context;
  const given: FieldValues = { ...toBookingFields(flags), ...(await readFields(flags, io)) };
  // What --data contains is sent as it is: other servers have other fields.
  if (flags.data !== undefined) return createAppointment(given, context);
  const { newClient, phone } = flags;
  const draft = await readDraft({ words, given, newClient, phone }, context);
  const { timeZone } = (await session()).settings;
  const style = { timeZone: timeZone.value, now: io.now() };
  return book(
    {
      draft,
      isAlwaysConfirmed,
      verb: 'Book',
      changes: topics,
      render: (booking) => renderSummary(booking, style),
      toCommand: (unfinished) => toBookWords(unfinished, style.timeZone),
      async check(booking) {
        // Nothing can be booked for somebody who is not added yet.
        if (booking.client === undefined) return;
        const dryRun = await (await context.client()).dryRun();
        await dryRun?.appointments.create(toFields(booking));
      },
      addClient: (added) => addClient(added, context),
      submit: (booking) =>
        createAppointment(toFields(booking), context, () => describeBooking(booking, style)),
    },
    context,
  );
}

function toFields({ client, stylist, service, start, durationMinutes, fields }: Booking): FieldValues {
  const own = { client_id: client?.id, stylist_id: stylist.id, service };
  return { ...own, start_time: start, duration: durationMinutes, ...fields };
}

async function createAppointment(
  given: FieldValues,
  context: CommandContext<BookAppointmentFlags>,
  describe?: Describe,
): Promise<CommandResult> {
  const fields = await normaliseBooking(given, context);
  const known = Object.keys(newAppointment.properties);
  return createRecord(context, fields, {
    create: (client) => client.appointments.create(fields),
    known,
    done: describe === undefined ? 'Booked appointment' : 'Booked',
    columns: appointmentColumns,
    ...(describe && { describe }),
  });
}

async function addClient({ name, phone }: NewClient, context: CommandContext): Promise<Person> {
  const client = await context.client();
  const fields = { ...splitName(name), ...(phone === '' ? {} : { phone }) };
  const { id } = await client.clients.create(fields);
  if (id !== undefined) return { id, name };
  throw new SalonError('unexpected_response', `The server added ${name}, but sent no ID to book with.`, {
    hint: `Look it up and book again: salon clients list --search "${name}"`,
  });
}
