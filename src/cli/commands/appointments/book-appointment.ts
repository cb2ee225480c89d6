import { SalonError } from '../../../contract/errors.ts';
import { findListedService } from '../../availability/usual-services.ts';
import { type BookingTask, book } from '../../booking/book-appointments.ts';
import { toBookWords, toMoveWords } from '../../booking/booking-errors.ts';
import { type Booking, type BookingDraft, isVisit, toFields } from '../../booking/draft.ts';
import { findStandIn, toClientFields } from '../../booking/new-client.ts';
import { type Move, readMove } from '../../booking/read-draft.ts';
import { readVisit } from '../../booking/read-visit.ts';
import { describeBooking, renderMove, renderSummary, renderWhen } from '../../booking/summary.ts';
import type { BookingFlags, followingFlag, newClientFlags, visitFlags } from '../../flags/booking-flags.ts';
import { type FieldValues, readFields, toDefinedFields } from '../../flags/fields.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ChangeFlags, ConfirmationFlags, WriteFlags } from '../../flags/options.ts';
import type { ShortTimeStyle } from '../../messages/short-times.ts';
import { nouns } from '../../nouns/nouns.ts';
import { renderAmount } from '../../output/cell.ts';
import type { CommandResult } from '../../output/command-result.ts';
import { readClock, readMessageStyle } from '../../output/format.ts';
import { readCurrency } from '../../session/account.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { changeRecord, createRecord, type Describe } from '../write-record.ts';
import { normaliseBooking, readPrice, toBookingFields } from './read-booking.ts';

export type BookAppointmentFlags = WriteFlags &
  BookingFlags &
  Partial<FlagValues<typeof newClientFlags>> &
  FlagValues<typeof visitFlags> &
  ConfirmationFlags;

/**
 * Books an appointment from flags and words, such as `Ana Costa tomorrow 15:00`; at a terminal asks for the rest. Where
 * there may be words, somebody at a terminal confirms what was given whole, too.
 */
export async function bookAppointment(
  context: CommandContext<BookAppointmentFlags>,
  words?: readonly string[],
): Promise<CommandResult> {
  const { flags, io, prompts } = context;
  const given = await readPrice({ ...toBookingFields(flags), ...(await readFields(flags, io)) }, context);
  // What --data contains is sent as it is: other servers have other fields.
  if (flags.data !== undefined) {
    if (words?.length) throw new SalonError('usage', '--data is the whole appointment; leave out the words.');
    return createAppointment(given, context);
  }
  const { newClient, phone } = flags;
  const [style, textStyle] = [await readClock(context), await readMessageStyle(context)];
  const toTask = (draft: BookingDraft): BookingTask => ({
    draft: { ...draft, onConflict: flags.onConflict },
    isAlwaysConfirmed: words !== undefined,
    verb: 'Book',
    changes: ['time', 'day', 'stylist', 'service', 'duration', 'client'],
    async render(bookings) {
      const [one] = bookings;
      if (bookings.length > 1) return bookings.map((each) => `  ${describeBooking(each, style)}`).join('\n');
      return renderSummary(one, await renderPrice(one, context), { ...style, ...textStyle });
    },
    toCommand: (unfinished) => toBookWords(unfinished, style.timeZone),
    // Each date of several is looked at already.
    check: async ([one]) => isVisit(one) || checkBooking(one, context),
    async submit(bookings) {
      const [one] = bookings;
      if (isVisit(one)) {
        const { bookVisit } = await import('../../booking/book-visits.ts');
        return bookVisit(bookings, words ?? [], context);
      }
      return one.client === undefined
        ? previewWithNewClient(one, context)
        : createAppointment(toFields(one), context, () => describeBooking(one, style));
    },
  });
  const booking = { words: words ?? [], given, newClient, phone };
  return prompts.inTurn(
    () => readVisit(booking, context),
    (draft) => book(toTask(draft), context),
  );
}

/** The price that a booking gets: the one given, else that of the service. */
async function renderPrice({ service, fields }: Booking, context: CommandContext) {
  const { price = (await findListedService(service, context))?.price } = fields;
  return typeof price === 'number' ? renderAmount(price, await readCurrency(context)) : undefined;
}

async function createAppointment(
  given: FieldValues,
  context: CommandContext<BookAppointmentFlags>,
  describe?: Describe,
): Promise<CommandResult> {
  const fields = await normaliseBooking(given, context);
  const done = describe === undefined ? 'Booked appointment' : 'Booked';
  return createRecord(context, 'appointments', fields, { done, ...(describe && { describe }) });
}

/** Throws what the server would. Returns whether it could check the appointment. */
async function checkBooking(booking: Booking, context: CommandContext): Promise<boolean> {
  const dryRun = await (await context.client()).dryRun();
  if (dryRun === undefined) return false;
  const client_id = booking.client?.id ?? (await findStandIn(context));
  if (client_id === undefined) return false;
  await dryRun.appointments.create({ ...toFields(booking), client_id });
  return true;
}

/** With --dry-run nobody is added. */
async function previewWithNewClient(booking: Booking, context: CommandContext): Promise<CommandResult> {
  const { newClient } = booking;
  const fields = newClient === undefined ? {} : toClientFields(newClient);
  const isChecked = await checkBooking(booking, context);
  context.messages.info(await context.checkDryRun((client) => client.clients.create(fields)));
  if (!isChecked)
    context.messages.info(`Not checked: the appointment, because ${newClient?.name} is not added yet.`);
  const { client_id: _unknown, ...appointment } = toFields(booking);
  return { show: 'record', record: { ...fields, ...appointment } };
}

export type MoveFlags = ChangeFlags &
  BookingFlags &
  ConfirmationFlags &
  FlagValues<typeof followingFlag & typeof visitFlags>;

/** Moves an upcoming appointment of a client to another time or stylist; at a terminal asks for the rest. */
export async function moveAppointment(
  context: CommandContext<MoveFlags>,
  words: readonly string[],
): Promise<CommandResult> {
  const { flags, io, prompts } = context;
  const { stylist, start, allowOverlap, allowBlocked } = flags;
  const overrides = toDefinedFields({ allow_overlap: allowOverlap, allow_blocked: allowBlocked });
  const fields = { ...overrides, ...(await readFields(flags, io)) };
  const style = await readClock(context);
  const toTask = (move: Move): BookingTask => ({
    draft: move.draft,
    verb: 'Move',
    changes: ['time', 'day', 'stylist'],
    isAlwaysConfirmed: true,
    render: ([after]) => renderMove(move.before, after, style),
    toCommand: (draft) => toMoveWords(move.before.id, draft, style.timeZone),
    async check([after]) {
      const change = toChange(move.before, after);
      // With those that follow it is checked in their plan: it may take the time of the next one.
      if (Object.keys(change).length === 0 || flags.following) return;
      const dryRun = await (await context.client()).dryRun();
      await dryRun?.appointments.update(move.before.id, change);
    },
    submit: ([after]) => submitMove(move, after, { context, style }),
  });
  return prompts.inTurn(
    () => readMove({ words, stylist, start, fields }, context),
    (move) => book(toTask(move), context),
  );
}

async function submitMove(
  move: Move,
  after: Booking,
  { context, style }: { readonly context: CommandContext<MoveFlags>; readonly style: ShortTimeStyle },
): Promise<CommandResult> {
  const { appointment, before } = move;
  const change = toChange(before, after);
  const { client } = before;
  // As with a booking, a name that a script has not looked up is left out.
  const who = client?.name === client?.id ? before.service : client?.name;
  if (Object.keys(change).length === 0) {
    const message = `${who} is booked for that time already. Nothing was changed.`;
    return { show: 'record', record: { ...appointment }, columns: nouns.appointments.columns, message };
  }
  const stylist = change['stylist_id'] === undefined ? '' : ` with ${after.stylist.name}`;
  const when = renderWhen(after.start, after.durationMinutes, style);
  const describe = () => `${who} to ${when}${stylist} (${before.id})`;
  const { moveFollowing } = await import('../../booking/following.ts');
  const one = () =>
    changeRecord(context, { noun: 'appointments', id: before.id, change, done: 'Moved', describe });
  return moveFollowing({ ...move, after, one }, context);
}

/** The fields that change. */
function toChange(before: Booking, after: Booking): FieldValues {
  const isTimeKept = Date.parse(after.start) === Date.parse(before.start);
  return {
    ...(isTimeKept ? {} : { start_time: after.start }),
    ...(after.stylist.id === before.stylist.id ? {} : { stylist_id: after.stylist.id }),
    ...after.fields,
  };
}
