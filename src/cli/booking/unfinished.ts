import { SalonError, withContext } from '../../contract/errors.ts';
import { cancelledMessage } from '../messages/errors.ts';
import type { NamedPerson } from '../people/resolve.ts';
import type { CommandContext } from '../session/command-context.ts';
import { renderCommand } from './continue-command.ts';
import { type BookingDraft, type BookingTopic, listOpenTopics } from './draft.ts';

const flagOf: Readonly<Record<BookingTopic, string>> = {
  client: '--client',
  service: '--service',
  duration: '--duration',
  stylist: '--stylist',
  day: '--start',
  time: '--start',
};

/** The error that names what a booking without questions lacks. `services` have a usual duration and a similar name. */
export function toMissing(draft: BookingDraft, services: readonly string[] = []): SalonError {
  const all = listOpenTopics(draft).filter((topic) => topic !== 'day');
  // The service may have a usual duration, which is looked up once the rest is there.
  const open = all.length > 1 ? all.filter((topic) => topic !== 'duration') : all;
  const flags = [...new Set(open.map((topic) => flagOf[topic]))];
  const isDayAlone = draft.span !== undefined && open.includes('time');
  const time = isDayAlone ? ' A start is a day and a time, such as "tomorrow 15:00".' : '';
  const named = services.length === 0 ? '' : `, or name a service of yours: ${services.join(', ')}`;
  return new SalonError('usage', `Missing: ${open.join(', ')}.`, {
    hint: `Add ${flags.join(', ')}${named}.${time}`,
  });
}

/** Codes whose own hint says what to do instead of booking again. */
const finalCodes: readonly string[] = ['result_unknown', 'bug'];

/** A cancellation after a new client was added, which must not say that nothing was changed. */
export function tellAdded(error: unknown, { name }: NamedPerson): unknown {
  if (!(error instanceof SalonError) || error.message !== cancelledMessage) return error;
  return withContext(error, { message: `Cancelled. ${name} was added as a client, but nothing is booked.` });
}

/** Adds to an error the command, given as words, that continues with all answers so far. */
export async function withContinuation(
  error: unknown,
  words: readonly string[],
  { io, flags }: CommandContext,
): Promise<unknown> {
  if (!(error instanceof SalonError) || finalCodes.includes(error.code)) return error;
  const command = renderCommand(words, { platform: io.platform, flags });
  const hint = [error.hint, `To continue: ${command}`].filter((line) => line !== undefined).join('\n  ');
  return withContext(error, { hint });
}
