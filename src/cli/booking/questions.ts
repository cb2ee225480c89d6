import { foldText } from '../../contract/search-text.ts';
import { parseMinutes } from '../flags/days.ts';
import type { SearchChoice } from '../messages/plain-prompts.ts';
import { renderMinutes } from '../output/cell.ts';
import type { Person } from '../people/resolve.ts';
import type { CommandContext } from '../session/command-context.ts';
import { askForClient } from './ask-client.ts';
import { askForDay, askForTime } from './ask-time.ts';
import { anyone, type BookingDraft, type Topic } from './draft.ts';
import { type BookingFacts, findWhoDoes, isSameService } from './facts.ts';

/** Asks one question. Returns the draft with the answer, or with an earlier question opened again. */
export function ask(
  topic: Topic,
  draft: BookingDraft,
  context: CommandContext,
  facts: BookingFacts,
): Promise<BookingDraft> {
  switch (topic) {
    case 'client':
      return askForClient(draft, context);
    case 'service':
      return askForService(draft, context, facts);
    case 'duration':
      return askForDuration(draft, context);
    case 'stylist':
      return askForStylist(draft, context, facts);
    case 'day':
      return askForDay(draft, context, facts);
    case 'time':
      return askForTime(draft, context, facts);
  }
}

async function askForService(
  draft: BookingDraft,
  { prompts }: CommandContext,
  facts: BookingFacts,
): Promise<BookingDraft> {
  const usual = await facts.services();
  const service = await prompts.search<string>('Service', {
    async find(typed) {
      const known = usual
        .filter((one) => foldText(one.service).includes(foldText(typed)))
        .map(({ service, usualMinutes }) => ({
          value: service,
          label: service,
          hint: renderMinutes(usualMinutes),
        }));
      const isNew = typed !== '' && !usual.some((one) => isSameService(one.service, typed));
      return isNew ? [...known, { value: typed, label: typed, hint: 'another service' }] : known;
    },
  });
  return withUsualDuration({ ...draft, service }, facts);
}

/** The draft with the usual duration of its service, spelled as the salon does, unless a duration was given. */
export async function withUsualDuration(draft: BookingDraft, facts: BookingFacts): Promise<BookingDraft> {
  const { service, durationMinutes } = draft;
  if (service === undefined || durationMinutes !== undefined) return draft;
  const known = (await facts.services()).find((one) => isSameService(one.service, service));
  if (known === undefined) return draft;
  return { ...draft, service: known.service, durationMinutes: known.usualMinutes, isUsualDuration: true };
}

async function askForDuration(draft: BookingDraft, { prompts }: CommandContext): Promise<BookingDraft> {
  const answer = await prompts.text('Duration (e.g. 45m or 1h30m)', {
    validate: (typed) => findProblem(() => parseMinutes(typed)),
  });
  return { ...draft, durationMinutes: parseMinutes(answer), isUsualDuration: false };
}

async function askForStylist(
  draft: BookingDraft,
  { prompts }: CommandContext,
  facts: BookingFacts,
): Promise<BookingDraft> {
  const stylists = await facts.stylists();
  if (stylists === undefined) {
    const id = await prompts.text('Stylist ID');
    return { ...draft, stylist: { id, name: id } };
  }
  const fitting = findWhoDoes(stylists, draft.service ?? '');
  const others = stylists.filter((one) => !fitting.includes(one));
  const choices: readonly SearchChoice<Person | typeof anyone>[] = [
    { value: anyone, label: 'Anyone free' },
    ...fitting.map(({ id, name }) => ({ value: { id, name }, label: name })),
    ...others.map(({ id, name }) => ({
      value: { id, name },
      label: name,
      hint: `does not list ${draft.service}`,
    })),
  ];
  const stylist = await prompts.search<Person | typeof anyone>('Stylist', {
    find: async (typed) => choices.filter(({ label }) => foldText(label).includes(foldText(typed))),
  });
  return { ...draft, stylist };
}

/** The message of what a check throws; undefined if it accepts. */
export function findProblem(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
