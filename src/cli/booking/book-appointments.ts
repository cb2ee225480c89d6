import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../text/numbers.ts';
import { createZoneClock } from '../../time/time.ts';
import { checkBookingTime } from '../availability/check-booking-time.ts';
import { readUsualServices } from '../availability/usual-services.ts';
import { toCalendarDay } from '../calendar/calendar-days.ts';
import { cancelledMessage, isBack } from '../messages/errors.ts';
import { renderMinutes } from '../output/cell.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { NamedPerson } from '../people/resolve.ts';
import type { DuplicateFlags } from '../people/same-person.ts';
import type { CommandContext } from '../session/command-context.ts';
import { assertWritable } from '../session/confirmation.ts';
import {
  askAgain,
  isRefused,
  reportAdded,
  toMissing,
  withContinuation,
  withinHours,
} from './booking-errors.ts';
import {
  type BookingDraft,
  type Bookings,
  type BookingTopic,
  isVisit,
  listOpenTopics,
  reopen,
} from './draft.ts';
import { settleNewClient, submitBookings, withClient } from './new-client.ts';
import { planVisit } from './plan-visit.ts';
import { findSimilar, questions, withUsualDuration } from './questions.ts';
import { describeOtherVisits } from './summary.ts';

/** What to book, or an appointment to move. */
export interface BookingTask {
  readonly draft: BookingDraft;
  readonly verb: 'Book' | 'Move';
  /** The questions that may be asked again before the confirmation. */
  readonly changes: readonly BookingTopic[];
  /** Whether somebody at a terminal confirms even what was given whole and has nothing unusual. */
  readonly isAlwaysConfirmed: boolean;
  /** What is shown before the confirmation. */
  render(bookings: Bookings): string | Promise<string>;
  /** The words of the command that continues a draft, if there is one. */
  toCommand(draft: BookingDraft): readonly string[] | undefined;
  /** Throws what the server would refuse, where it says so before anything is changed. */
  check(bookings: Bookings): Promise<unknown>;
  submit(bookings: Bookings): Promise<CommandResult>;
}

/**
 * Books appointments, or moves one. At a terminal asks for what is missing, shows a summary and asks for confirmation; what the
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
  const progress: Progress = { draft: await settleNewClient(draft, context), isAsked: false };
  const bookings = await planVisit(progress.draft, context);
  const [booking] = bookings;
  if (bookings.length > 1) messages.info(await task.render(bookings));
  else {
    const { durationMinutes, service, stylist, isUsualDuration } = booking;
    if (isUsualDuration === true)
      messages.info(`Duration: ${renderMinutes(durationMinutes)}, as usual for ${service}.`);
    if (draft.stylist !== stylist) messages.info(`Free then: ${stylist.name}.`);
  }
  for (const warning of await listWarnings(bookings, task, context)) messages.warn(warning);
  try {
    return await submit(bookings, progress, { task, context });
  } catch (error) {
    const failure = isRefused(error) ? await withinHours(error, booking, context) : error;
    const words = progress.added && task.toCommand(progress.draft);
    throw await withContinuation(failure, words, context);
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
        const known = added === undefined ? before : withClient(before, added);
        // Of several, the one who was added may be another's client.
        progress.draft =
          added === undefined || isVisit(before) ? known : { ...known, client: added, newClient: undefined };
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
    const bookings = await planVisit(progress.draft, context);
    const warnings = await listWarnings(bookings, task, context);
    const needsConfirmation = progress.isAsked || warnings.length > 0 || task.isAlwaysConfirmed;
    if (needsConfirmation && context.flags.yes !== true && context.flags.dryRun !== true) {
      progress.isAsked = true;
      await task.check(bookings);
      const { draft } = progress;
      progress.draft = await confirmBookings(task, { bookings, draft, warnings }, context);
      if (progress.draft !== draft) return undefined;
    }
    return await submit(bookings, progress, { task, context });
  } catch (error) {
    if (!isRefused(error)) throw error;
    progress.isAsked = true;
    progress.draft = await askAgain(error, progress.draft, context);
    return undefined;
  }
}

function submit(
  bookings: Bookings,
  progress: Progress,
  { task, context }: { task: BookingTask; context: CommandContext<DuplicateFlags> },
): Promise<CommandResult> {
  const keepClient = (client: NamedPerson) => {
    progress.added = client;
    progress.draft = withClient(progress.draft, client);
  };
  return submitBookings(bookings, { ...task, keepClient }, context);
}

/** What is unusual about bookings, in sentences. `appointments create` in a script pays no request for it. */
async function listWarnings(
  bookings: Bookings,
  { verb, isAlwaysConfirmed }: BookingTask,
  context: CommandContext,
): Promise<readonly string[]> {
  const isNew = verb === 'Book';
  const looksUp = !isNew || isAlwaysConfirmed || context.prompts.isInteractive;
  const warnings = new Set<string>();
  for (const booking of bookings) {
    const service = looksUp ? booking.service : undefined;
    const checked = { ...booking, stylistId: booking.stylist.id, service };
    for (const warning of await checkBookingTime(context, checked)) warnings.add(warning);
  }
  return [...warnings, ...(isNew && looksUp ? await describeOtherVisits(bookings, context) : [])];
}

const note = 'Add a note';

interface Shown {
  readonly bookings: Bookings;
  readonly draft: BookingDraft;
  readonly warnings: readonly string[];
}

/**
 * Shows bookings and asks whether to make them. Returns the same draft if so; otherwise one with a question open again,
 * or with a note. Throws `confirmation_required` if it is cancelled.
 */
async function confirmBookings(
  { verb, changes, render }: BookingTask,
  { bookings, draft, warnings }: Shown,
  { messages, prompts }: CommandContext,
): Promise<BookingDraft> {
  messages.show([await render(bookings), ...warnings.map((warning) => `  ! ${warning}`)].join('\n'));
  const yes = warnings.length === 0 ? verb : `${verb} anyway`;
  // Others may have another client, service and stylist.
  const own = draft.others === undefined ? changes : (['time', 'day'] as const);
  const topics = new Map(own.map((topic) => [`Change the ${topic}`, topic]));
  const notes = verb === 'Book' && draft.others === undefined ? [note] : [];
  const what = bookings.length > 1 ? countOf(bookings.length, 'appointments') : 'it';
  const answer = await prompts.choose(`${verb} ${what}?`, [yes, ...topics.keys(), ...notes, 'Cancel']);
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
