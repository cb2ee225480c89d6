import { SalonError } from '../../contract/errors.ts';
import { type Repeat, takeRepeat } from '../../time/repeats.ts';
import { readUsualServices } from '../availability/usual-services.ts';
import { readClock } from '../output/format.ts';
import { isClient } from '../people/resolve.ts';
import type { CommandContext } from '../session/command-context.ts';
import { toMissing } from './booking-errors.ts';
import { anyone, type BookingDraft, listOpenTopics } from './draft.ts';
import { findSimilar, questions, withUsualDuration } from './questions.ts';
import { type GivenBooking, readDraft } from './read-draft.ts';
import { splitVisit, type VisitWords } from './visit-words.ts';
import { listOffsets } from './visits.ts';
import { isDay, parseBookingWords } from './words.ts';

/** What a command line asks for: one appointment or several. */
interface LineWords extends VisitWords {
  readonly repeat: Repeat | undefined;
  /** Whether a colon shows whose an appointment is. */
  readonly hasColon: boolean;
}

/** Finds several appointments in the words of a command line. For one, its words are those given. */
export async function splitLine(given: readonly string[], context: CommandContext): Promise<LineWords> {
  const words = given.length === 1 ? (given[0] ?? '').trim().split(/\s+/) : given;
  const moments = await readClock(context);
  const { repeat, rest = words } = takeRepeat(words, (text) => isDay(text, moments)) ?? {};
  const isKnown = (name: string) => isClient(parseBookingWords([name], moments).client, context);
  const visit = await splitVisit(rest, isKnown);
  const hasColon = words.some((word) => word.endsWith(':'));
  const isOne = repeat === undefined && visit.parts.length < 2 && !hasColon;
  const parts = isOne ? [{ words: given, step: 0, pauseMs: 0 }] : visit.parts;
  return { ...visit, parts, repeat, hasColon };
}

/** The answers that a command line gives. Of several appointments asks for what each lacks at a terminal, but for the time. */
export async function readVisit(given: GivenBooking, context: CommandContext): Promise<BookingDraft> {
  const { parts, isAlike, repeat } = await splitLine(given.words, context);
  const [own, ...more] = parts;
  const isContinued = parts.length === 1 && repeat === undefined;
  const first = await readDraft({ ...given, words: own?.words ?? [], isContinued }, context);
  if (more.length === 0) return { ...first, repeat };
  const { client_id: _client, start_time: _start, ...flags } = given.given;
  const drafts = [await askForRest(first, context)];
  for (const { words } of more) {
    const last = drafts.at(-1) ?? first;
    const line = { words, given: isAlike ? {} : flags, newClient: undefined, phone: undefined };
    const { start, span, ...next } = await readDraft(line, context);
    const isSame = next.client === undefined && next.typed.client === '';
    const { client, newClient } = isSame ? last : next;
    const alike = isAlike ? { ...last, stylist: next.stylist ?? last.stylist, typed: next.typed } : next;
    drafts.push(await askForRest({ ...alike, client, newClient, start, span }, context));
  }
  const times = drafts.flatMap(({ start, span }) => ((start ?? span) ? [{ start, span }] : []));
  if (new Set(times.map((time) => JSON.stringify(time))).size > 1)
    throw new SalonError('usage', 'The time is given twice.');
  const added = drafts.flatMap(({ newClient = [] }) => newClient);
  if (new Set(added.map((client) => JSON.stringify(client))).size > 1) {
    throw new SalonError('usage', 'Only one of the clients can be new. Nobody was added.', {
      hint: 'Add the others first: salon clients create --help',
    });
  }
  const services = new Set(drafts.map(({ service }) => service));
  for (const field of ['duration', 'price']) {
    if (services.size > 1 && given.given[field] !== undefined)
      throw new SalonError('usage', `--${field} is that of one service, and these are ${services.size}.`);
  }
  const starts = listOffsets(
    drafts.map(({ durationMinutes: minutes = 0 }, index) => ({ minutes, ...parts[index] })),
  );
  const [visit = first, ...others] = drafts.map((draft, index) => ({ ...draft, fromMs: starts[index] }));
  assertApart([visit, ...others]);
  return { ...visit, ...times[0], others, repeat };
}

async function askForRest(given: BookingDraft, context: CommandContext): Promise<BookingDraft> {
  const stylist = given.stylist ?? (given.typed.stylist === '' ? anyone : undefined);
  let draft = await withUsualDuration({ ...given, stylist }, context);
  for (;;) {
    const [topic] = listOpenTopics(draft);
    if (topic === undefined || topic === 'day' || topic === 'time') return draft;
    if (!context.prompts.isInteractive) {
      const { service = '' } = draft;
      throw toMissing({ ...draft, start: '' }, findSimilar(service, await readUsualServices(context)));
    }
    draft = await withUsualDuration(await questions[topic](draft, context), context);
  }
}

/** Throws `usage` for a person who would be twice at once. */
function assertApart(drafts: readonly BookingDraft[]): void {
  const seen = new Set<string>();
  for (const { client, stylist, fromMs } of drafts) {
    for (const [kind, person] of Object.entries({ client, stylist })) {
      if (person === undefined || person === anyone) continue;
      const key = `${kind} ${person.id} ${fromMs}`;
      if (seen.has(key)) {
        throw new SalonError('usage', `${person.name} cannot have two appointments at once.`, {
          hint: 'Name another person, or write "then" between appointments that follow one another.',
        });
      }
      seen.add(key);
    }
  }
}
