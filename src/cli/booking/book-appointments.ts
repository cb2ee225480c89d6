import { SalonError } from '../../contract/errors.ts';
import { createZoneClock, dayMs, minuteMs, toUtcText } from '../../time/time.ts';
import { checkBookingTime } from '../availability/check-booking-time.ts';
import { readBusyVisits } from '../availability/salon-facts.ts';
import { findListedService, readUsualServices } from '../availability/usual-services.ts';
import { toCalendarDay } from '../calendar/calendar-days.ts';
import { cancelledMessage, isBack } from '../messages/errors.ts';
import { renderShortTime } from '../messages/short-times.ts';
import { renderAmount, renderMinutes } from '../output/cell.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { NamedPerson } from '../people/resolve.ts';
import type { DuplicateFlags } from '../people/same-person.ts';
import { readCurrency } from '../session/account.ts';
import type { CommandContext } from '../session/command-context.ts';
import { assertWritable } from '../session/confirmation.ts';
import { readSlots } from './ask-time.ts';
import {
  askAgain,
  isRefused,
  reportAdded,
  toMissing,
  withContinuation,
  withinHours,
} from './booking-errors.ts';
import {
  anyone,
  type Booking,
  type BookingDraft,
  type BookingTopic,
  listOpenTopics,
  reopen,
} from './draft.ts';
import { settleNewClient, submitBooking } from './new-client.ts';
import { findSimilar, questions, withUsualDuration } from './questions.ts';
import { describeOtherVisits, renderWhen } from './summary.ts';

/** A booking to make, or an appointment to move. */
export interface BookingTask {
  readonly draft: BookingDraft;
  readonly verb: 'Book' | 'Move';
  /** The questions that may be asked again before the confirmation. */
  readonly changes: readonly BookingTopic[];
  /** Whether somebody at a terminal confirms even what was given whole and has nothing unusual. */
  readonly isAlwaysConfirmed: boolean;
  /** What is shown before the confirmation. */
  render(booking: Booking): string;
  /** The words of the command that continues a draft. */
  toCommand(draft: BookingDraft): readonly string[];
  /** Throws what the server would refuse, where it says so before anything is changed. */
  check(booking: Booking): Promise<unknown>;
  submit(booking: Booking): Promise<CommandResult>;
}

/**
 * Books or moves an appointment. At a terminal asks for what is missing, shows a summary and asks for confirmation; what the
 * server refuses is asked again. Elsewhere throws `usage` naming what is missing.
 */
export async function book(
  task: BookingTask,
  context: CommandContext<DuplicateFlags>,
): Promise<CommandResult> {
  assertWritable(await context.session());
  return context.prompts.isInteractive ? bookAtTerminal(task, context) : bookAtOnce(task, context);
}

async function bookAtOnce(
  task: BookingTask,
  context: CommandContext<DuplicateFlags>,
): Promise<CommandResult> {
  const { messages } = context;
  if (listOpenTopics(task.draft).some((topic) => topic !== 'duration')) throw toMissing(task.draft);
  const draft = await withUsualDuration(task.draft, context);
  if (listOpenTopics(draft).length > 0) {
    throw toMissing(draft, findSimilar(draft.service ?? '', await readUsualServices(context)));
  }
  const booking = await withFreeStylist(draft, context);
  if (booking.isUsualDuration === true) {
    messages.info(`Duration: ${renderMinutes(booking.durationMinutes)}, as usual for ${booking.service}.`);
  }
  if (draft.stylist !== booking.stylist) messages.info(`Free then: ${booking.stylist.name}.`);
  for (const warning of await listWarnings(booking, task, context)) messages.warn(warning);
  const settled = await settleNewClient(booking, context);
  let left: Booking | undefined;
  const keepClient = (client: NamedPerson) => (left = { ...booking, client, newClient: undefined });
  try {
    return await submitBooking(settled, { ...task, keepClient }, context);
  } catch (error) {
    const failure = isRefused(error) ? await withinHours(error, booking, context) : error;
    throw left === undefined ? failure : await withContinuation(failure, task.toCommand(left), context);
  }
}

/** What a dialogue has reached. */
interface Progress {
  draft: BookingDraft;
  /** Whether something was asked, so that the answers are worth a summary. */
  isAsked: boolean;
  /** A client who was added already. */
  added?: NamedPerson | undefined;
}

async function bookAtTerminal(
  task: BookingTask,
  context: CommandContext<DuplicateFlags>,
): Promise<CommandResult> {
  const progress: Progress = { draft: task.draft, isAsked: false };
  const { prompts } = context;
  const { hasBack } = prompts;
  try {
    progress.draft = await settleNewClient(progress.draft, context);
    progress.draft = await withUsualDuration(progress.draft, context);
    /** Drafts of questions that were answered, for Esc. */
    const answered: BookingDraft[] = [];
    for (;;) {
      const { draft } = progress;
      prompts.hasBack = hasBack || answered.length > 0;
      const [topic] = listOpenTopics(draft);
      try {
        if (topic === undefined) {
          const result = await confirmAndSubmit(progress, task, context);
          if (result !== undefined) return result;
        } else {
          progress.isAsked = true;
          progress.draft = await questions[topic](draft, context);
        }
        if (progress.draft === draft) continue;
        const isOpenAgain =
          topic !== undefined && listOpenTopics(progress.draft).length >= listOpenTopics(draft).length;
        if (isOpenAgain) answered.pop();
        else answered.push(draft);
      } catch (error) {
        const before = isBack(error) ? answered.pop() : undefined;
        if (before === undefined) throw error;
        const { added } = progress;
        progress.draft = added === undefined ? before : { ...before, client: added, newClient: undefined };
      }
    }
  } catch (error) {
    const failure = progress.added === undefined ? error : reportAdded(error, progress.added);
    throw await withContinuation(failure, task.toCommand(progress.draft), context);
  }
}

/** Returns nothing where a question is to be asked again. */
async function confirmAndSubmit(
  progress: Progress,
  task: BookingTask,
  context: CommandContext<DuplicateFlags>,
): Promise<CommandResult | undefined> {
  try {
    const zone = createZoneClock(await context.timeZone());
    const { start } = progress.draft;
    // The day of the time, so that another time is asked for the same day.
    if (start !== undefined)
      progress.draft = { ...progress.draft, span: toCalendarDay(Date.parse(start), zone) };
    const booking = await withFreeStylist(progress.draft, context);
    const warnings = await listWarnings(booking, task, context);
    const needsConfirmation = progress.isAsked || warnings.length > 0 || task.isAlwaysConfirmed;
    if (needsConfirmation && context.flags.yes !== true && context.flags.dryRun !== true) {
      progress.isAsked = true;
      await task.check(booking);
      const shown = task.verb === 'Book' ? await withPrice(booking, context) : booking;
      const { draft } = progress;
      progress.draft = await confirmBooking(task, { booking: shown, draft, warnings }, context);
      if (progress.draft !== draft) return undefined;
    }
    const keepClient = (client: NamedPerson) => {
      progress.added = client;
      progress.draft = { ...progress.draft, client, newClient: undefined };
    };
    return await submitBooking(booking, { ...task, keepClient }, context);
  } catch (error) {
    if (!isRefused(error)) throw error;
    progress.isAsked = true;
    progress.draft = await askAgain(error, progress.draft, context);
    return undefined;
  }
}

/** What is unusual about a booking, in sentences. `appointments create` in a script pays no request for it. */
async function listWarnings(
  booking: Booking,
  { verb, isAlwaysConfirmed }: BookingTask,
  context: CommandContext,
): Promise<readonly string[]> {
  const isNew = verb === 'Book';
  const looksUp = !isNew || isAlwaysConfirmed || context.prompts.isInteractive;
  const service = looksUp ? booking.service : undefined;
  const warnings = await checkBookingTime(context, { ...booking, stylistId: booking.stylist.id, service });
  return isNew && looksUp ? [...warnings, ...(await describeOtherVisits([booking], context))] : warnings;
}

/** The booking with the price that it gets: the one given, else that of the service. */
async function withPrice(booking: Booking, context: CommandContext): Promise<Booking> {
  const { service, fields } = booking;
  const given = fields['price'];
  const amount = given === undefined ? (await findListedService(service, context))?.price : given;
  if (typeof amount !== 'number') return booking;
  return { ...booking, price: renderAmount(amount, await readCurrency(context)) };
}

const note = 'Add a note';

/**
 * Shows a booking and asks whether to make it. Returns the same draft if so; otherwise one with a question open again,
 * or with a note. Throws `confirmation_required` if it is cancelled.
 */
async function confirmBooking(
  { verb, changes, render }: BookingTask,
  { booking, draft, warnings }: { booking: Booking; draft: BookingDraft; warnings: readonly string[] },
  { messages, prompts }: CommandContext,
): Promise<BookingDraft> {
  messages.show([render(booking), ...warnings.map((warning) => `  ! ${warning}`)].join('\n'));
  const yes = warnings.length === 0 ? verb : `${verb} anyway`;
  const topics = new Map(changes.map((topic) => [`Change the ${topic}`, topic]));
  const notes = verb === 'Book' ? [note] : [];
  const answer = await prompts.choose(`${verb} it?`, [yes, ...topics.keys(), ...notes, 'Cancel']);
  if (answer === yes) return draft;
  if (answer === note) {
    const notes = await prompts.text('Note').catch((error) => {
      if (!isBack(error)) throw error;
    });
    return { ...draft, fields: notes === undefined ? { ...draft.fields } : { ...draft.fields, notes } };
  }
  const topic = topics.get(answer);
  if (topic === undefined) throw new SalonError('confirmation_required', cancelledMessage);
  return reopen(draft, topic);
}

/**
 * A complete draft with a stylist: for "anyone free" the one with the emptiest day of those who are free and do the
 * service. Throws `appointment_conflict` if no stylist is free.
 */
async function withFreeStylist(draft: BookingDraft, context: CommandContext): Promise<Booking> {
  const { start = '', stylist } = draft;
  if (stylist !== anyone) return checkFree(draft as Booking, context);
  const timeZone = await context.timeZone();
  const startMs = Date.parse(start);
  const minute = { startMs, endMs: startMs + minuteMs };
  const free = await readSlots({ ...draft, span: minute }, context, 1);
  const day = toCalendarDay(startMs, createZoneClock(timeZone));
  const ofDay = free.length < 2 ? [] : await readSlots({ ...draft, span: day }, context);
  const countOf = (id: string) => ofDay.filter(({ stylistId }) => stylistId === id).length;
  const [best] = free.toSorted((one, other) => countOf(other.stylistId) - countOf(one.stylistId));
  if (best === undefined) {
    const when = renderShortTime(start, { timeZone, now: context.io.now() });
    throw new SalonError('appointment_conflict', `Nobody who does ${draft.service} is free ${when}.`, {
      hint: 'Choose another time, or a stylist.',
    });
  }
  return { ...draft, stylist: { id: best.stylistId, name: best.stylistName } } as Booking;
}

/**
 * The booking. Throws `appointment_conflict` for a time that another server shows as taken, and `unexpected_response`
 * if it does not show whether it is. Our service checks it with the booking, and sees more than a key may.
 */
async function checkFree(booking: Booking, context: CommandContext): Promise<Booking> {
  const { stylist, start, durationMinutes, movedId, fields } = booking;
  if (!(await context.client()).isForeign || fields['allow_overlap'] === true) return booking;
  const startMs = Date.parse(start);
  const endMs = startMs + durationMinutes * minuteMs;
  const around = { startMs: startMs - dayMs, endMs, stylistIds: [stylist.id] };
  const taken = (await readBusyVisits(context, around)).find(
    (visit) => visit.stylistId === stylist.id && visit.id !== movedId && visit.endMs > startMs,
  );
  if (taken === undefined) return booking;
  const style = { timeZone: await context.timeZone(), now: context.io.now() };
  const when = renderWhen(toUtcText(taken.startMs), taken.minutes, style);
  const hint = 'Choose another time, or add --allow-overlap.';
  throw new SalonError('appointment_conflict', `${stylist.name} is booked ${when}.`, { hint });
}
