import { SalonError, withContext } from '../../contract/errors.ts';
import { toIsoDay } from '../../time/local-days.ts';
import { createZoneClock, dayMs, toUtcText } from '../../time/time.ts';
import { readAvailability } from '../availability/availability.ts';
import type { FieldValues } from '../flags/fields.ts';
import type { GlobalFlags } from '../flags/options.ts';
import type { Io } from '../io.ts';
import { cancelledMessage, toErrorLines } from '../messages/errors.ts';
import { renderShortTime } from '../messages/short-times.ts';
import { renderMinutes } from '../output/cell.ts';
import { readClock } from '../output/format.ts';
import type { NamedPerson } from '../people/resolve.ts';
import type { CommandContext } from '../session/command-context.ts';
import {
  anyone,
  type BookingDraft,
  type BookingTopic,
  hasDays,
  isVisit,
  listOpenTopics,
  reopen,
} from './draft.ts';

/** The words of the command that resumes a booking with all answers so far; undefined for several. */
export function toBookWords(draft: BookingDraft, timeZone: string): readonly string[] | undefined {
  if (isVisit(draft)) return undefined;
  const { client, newClient, service, durationMinutes, isUsualDuration, typed } = draft;
  const who = client?.id ?? (newClient === undefined ? typed.client : undefined);
  return [
    ...['book', ...(who ? [who] : [])],
    ...toFlag('--new-client', newClient?.name),
    ...toFlag('--phone', newClient?.phone),
    ...toFlag('--service', service),
    ...toFlag('--duration', isUsualDuration === true ? undefined : durationMinutes),
    ...toStylistAndTime(draft, timeZone),
    ...toFieldFlags(draft.fields),
  ];
}

/** The words of the command that resumes moving an appointment. */
export function toMoveWords(id: string, draft: BookingDraft, timeZone: string): readonly string[] {
  return ['move', id, ...toStylistAndTime(draft, timeZone), ...toFieldFlags(draft.fields)];
}

/** A command line of `salon`, quoted for the shell of the platform, for the same profile. */
export function renderCommand(
  words: readonly string[],
  { io, flags }: { io: Pick<Io, 'platform'>; flags: Pick<GlobalFlags, 'profile' | 'baseUrl'> },
): string {
  const all = [...words, ...toFlag('-p', flags.profile), ...toFlag('--base-url', flags.baseUrl)];
  return ['salon', ...all.map((word) => quoteWord(word, io.platform))].join(' ');
}

function toStylistAndTime(draft: BookingDraft, timeZone: string): readonly string[] {
  const { stylist, typed, start, span } = draft;
  const who = toFlag('--stylist', stylist === anyone ? anyone : (stylist?.id ?? typed.stylist));
  if (start !== undefined) return [...who, renderLocalTime(start, timeZone)];
  if (span === undefined || hasDays(span)) return who;
  return [...who, toIsoDay(createZoneClock(timeZone).wall(span.startMs))];
}

function toFlag(flag: string, value: string | number | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : [flag, String(value)];
}

/** `2026-11-24T15:00`; in UTC where the clocks show that time twice and mean the second one. */
export function renderLocalTime(instant: string, timeZone: string): string {
  const zone = createZoneClock(timeZone);
  const wallMs = zone.wall(Date.parse(instant));
  const isPlain = zone.earliest(wallMs) === Date.parse(instant);
  return isPlain ? new Date(wallMs).toISOString().slice(0, 16) : instant;
}

function toFieldFlags(fields: FieldValues): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) => [
    '--set',
    typeof value === 'string' ? `${name}=${value}` : `${name}:=${JSON.stringify(value)}`,
  ]);
}

/** A word as the shell of the platform reads it back. */
function quoteWord(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (platform === 'win32') return `"${word.replaceAll('"', '""')}"`;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}

/** The error that names what a booking without questions lacks. `services` have a usual duration and a similar name. */
export function toMissing(draft: BookingDraft, services: readonly string[] = []): SalonError {
  const all = listOpenTopics(draft).filter((topic) => topic !== 'day');
  // The service may have a usual duration, which is looked up once the rest is there.
  const open = all.length > 1 ? all.filter((topic) => topic !== 'duration') : all;
  const flags = open.map((topic) => (topic === 'time' ? '--start' : `--${topic}`));
  const isDayAlone = draft.span !== undefined && open.includes('time');
  const time = isDayAlone ? ' A start is a day and a time, such as "tomorrow 15:00".' : '';
  const named = services.length === 0 ? '' : `, or name a service of yours: ${services.join(', ')}`;
  return new SalonError('usage', `Missing: ${open.join(', ')}.`, {
    hint: `Add ${flags.join(', ')}${named}.${time}`,
  });
}

/** A cancellation after a new client was added, which must not say that nothing was changed. */
export function reportAdded(error: unknown, { name }: NamedPerson): unknown {
  if (!(error instanceof SalonError) || error.message !== cancelledMessage) return error;
  return withContext(error, { message: `Cancelled. ${name} was added as a client, but nothing is booked.` });
}

/** Adds to an error the command, given as words, that continues with all answers so far. */
export async function withContinuation(
  error: unknown,
  words: readonly string[] | undefined,
  context: CommandContext,
): Promise<unknown> {
  if (words === undefined || !(error instanceof SalonError)) return error;
  // The hint of these says what to do instead of booking again.
  if (['result_unknown', 'bug'].includes(error.code)) return error;
  const lines = [error.hint, `To continue: ${renderCommand(words, context)}`];
  const hint = lines.filter((line) => line !== undefined).join('\n  ');
  return withContext(error, { hint });
}

const topicOfField: Readonly<Record<string, BookingTopic>> = {
  client_id: 'client',
  service: 'service',
  duration: 'duration',
  stylist_id: 'stylist',
  start_time: 'time',
};

/** Other servers have no code of their own for it. */
const conflictCodes: readonly string[] = [
  'appointment_conflict',
  'time_blocked',
  'conflict',
  'bookings_refused',
];

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

const searchDays = 14;
const freeSentence = / Free from [^.]*\.$/;

/** The server knows appointments, but not when the salon is open: the next free time is looked up. */
export async function withinHours(
  error: SalonError,
  { stylist, start = '', durationMinutes, movedId }: BookingDraft,
  context: CommandContext,
): Promise<SalonError> {
  if (!freeSentence.test(error.message) || stylist === undefined || stylist === anyone) return error;
  const startMs = Date.parse(start);
  const query = {
    span: { startMs, endMs: startMs + searchDays * dayMs },
    durationMinutes: durationMinutes || 30,
    stylistIds: [stylist.id],
    ignoreAppointmentId: movedId,
  };
  const [next] = await readAvailability(context, query).catch(() => []);
  if (next !== undefined && toUtcText(next.startMs) === error.members['free_from']) return error;
  const time = next && renderShortTime(toUtcText(next.startMs), await readClock(context));
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
  if (!conflictCodes.includes(error.code)) return reopen(draft, topic);
  if (isVisit(draft)) return askAboutDates(error, draft, context);
  if (draft.stylist === anyone) return reopen(draft, topic);
  const [time, other, anyway] = ['Choose another time', 'Choose another stylist', 'Take this time anyway'];
  const answer = await prompts.choose('What now?', [time, other, anyway]);
  const override = error.code === 'time_blocked' ? 'allow_blocked' : 'allow_overlap';
  if (answer === anyway) return { ...draft, fields: { ...draft.fields, [override]: true } };
  return reopen(draft, answer === other ? 'stylist' : topic);
}

/** What to do about dates of several appointments that are not free, as `planVisit` tells them. */
async function askAboutDates(
  { members: { dates, ways = [] } }: SalonError,
  draft: BookingDraft,
  { messages, prompts }: CommandContext,
): Promise<BookingDraft> {
  if (typeof dates === 'string') messages.show(dates);
  const labels = { nearest: 'Take the nearest', skip: 'Leave out' } as const;
  const decisions = ways as readonly (keyof typeof labels)[];
  const time = 'Choose another time';
  const answer = await prompts.choose('What now?', [...decisions.map((way) => labels[way]), time, 'Stop']);
  if (answer === 'Stop') throw new SalonError('confirmation_required', cancelledMessage);
  const onConflict = decisions.find((way) => labels[way] === answer);
  return onConflict === undefined ? reopen(draft, 'time') : { ...draft, onConflict };
}
