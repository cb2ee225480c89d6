import { SalonError } from '../../contract/errors.ts';
import { cancelledMessage, isBack } from '../messages/errors.ts';
import type { CommandContext } from '../session/command-context.ts';
import { type Booking, type BookingDraft, reopen, type Topic } from './draft.ts';

/** What is confirmed, and what may be changed instead. */
export interface Confirmation {
  readonly verb: 'Book' | 'Move';
  readonly changes: readonly Topic[];
  render(booking: Booking): string;
}

export interface DoubtedBooking {
  readonly booking: Booking;
  readonly draft: BookingDraft;
  /** What is unusual about it, in sentences. */
  readonly doubts: readonly string[];
}

const note = 'Add a note';

/**
 * Shows a booking and asks whether to make it. Returns the same draft if so; otherwise one with a question open again,
 * or with a note. Throws `confirmation_required` if it is cancelled.
 */
export async function confirmBooking(
  { verb, changes, render }: Confirmation,
  { booking, draft, doubts }: DoubtedBooking,
  { messages, prompts }: CommandContext,
): Promise<BookingDraft> {
  messages.show([render(booking), ...doubts.map((doubt) => `  ! ${doubt}`)].join('\n'));
  const yes = doubts.length === 0 ? verb : `${verb} anyway`;
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
