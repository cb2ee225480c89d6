import { SalonError, withContext } from '../../contract/errors.ts';
import { findNextFree } from '../availability/availability.ts';
import { toErrorLines } from '../messages/errors.ts';
import { renderShortTime } from '../messages/short-times.ts';
import { renderMinutes } from '../output/cell.ts';
import type { CommandContext } from '../session/command-context.ts';
import { anyone, type BookingDraft, type BookingTopic, reopen } from './draft.ts';

const topicOfField: Readonly<Record<string, BookingTopic>> = {
  client_id: 'client',
  service: 'service',
  duration: 'duration',
  stylist_id: 'stylist',
  start_time: 'time',
};

/** Other servers have no code of their own for it. */
const conflictCodes: readonly string[] = ['appointment_conflict', 'conflict'];

/** The question whose answer the server refused; undefined for any other failure. */
function findRefusedTopic(error: unknown): BookingTopic | undefined {
  if (!(error instanceof SalonError)) return undefined;
  if (conflictCodes.includes(error.code)) return 'time';
  const fields = error.violations.map(({ pointer = '' }) => pointer.slice(1));
  const [topic] = fields.flatMap((field) => topicOfField[field] ?? []);
  if (topic !== undefined || error.code !== 'not_found') return topic;
  return topicOfField[`${error.members['resource']}_id`];
}

/** Whether the server refused an answer, so that it can be asked again. */
export function isRefused(error: unknown): error is SalonError {
  return findRefusedTopic(error) !== undefined;
}

const freeSentence = / Free from [^.]*\.$/;

/** The server knows appointments, but not when the salon is open: the next free time is looked up. */
export async function withinHours(
  error: SalonError,
  { stylist, start = '', durationMinutes, movedId }: BookingDraft,
  context: CommandContext,
): Promise<SalonError> {
  if (!freeSentence.test(error.message) || stylist === undefined || stylist === anyone) return error;
  const query = { from: start, durationMinutes: durationMinutes || 30, ignoreAppointmentId: movedId };
  const next = await findNextFree(context, { ...query, stylistId: stylist.id }).catch(() => undefined);
  if (next?.start === error.members['free_from']) return error;
  const { timeZone } = (await context.session()).settings;
  const time = next && renderShortTime(next.start, { timeZone: timeZone.value, now: context.io.now() });
  const free = time === undefined ? '' : ` Next free for ${renderMinutes(query.durationMinutes)}: ${time}.`;
  return withContext(error, { message: error.message.replace(freeSentence, free) });
}

/** Says why the booking was refused and returns the draft with the question open that has to be answered again. */
export async function askAgain(
  error: SalonError,
  draft: BookingDraft,
  context: CommandContext,
): Promise<BookingDraft> {
  const { messages, prompts } = context;
  messages.show(toErrorLines(await withinHours(error, draft, context)).join('\n'));
  const topic = findRefusedTopic(error);
  if (topic === undefined) return draft;
  if (!conflictCodes.includes(error.code) || draft.stylist === anyone) return reopen(draft, topic);
  const [time, other, anyway] = ['Choose another time', 'Choose another stylist', 'Take this time anyway'];
  const answer = await prompts.choose('What now?', [time, other, anyway]);
  if (answer === anyway) return { ...draft, fields: { ...draft.fields, allow_overlap: true } };
  return reopen(draft, answer === other ? 'stylist' : topic);
}
