import { readRows } from '../../client/pagination/paginate.ts';
import type { Tagged } from '../../client/resources/response-record.ts';
import { type WaitlistEntry, waitingStatuses } from '../../contract/waitlist.ts';
import { renderShortTime, type ShortTimeStyle } from '../messages/short-times.ts';
import { readClock } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import { type FoundRecord, findRecord } from './client-records.ts';
import { toText } from './names.ts';
import type { ResolveOptions } from './resolve.ts';

/** Who still waits. */
export const isOpen = { status: waitingStatuses.join() } as const;

/** Finds an entry of the waiting list by its ID, or by a client who waits. Throws as `findRecord` does. */
export async function findEntry(
  text: string,
  context: CommandContext,
  options: ResolveOptions = {},
): Promise<FoundRecord<WaitlistEntry, Tagged<WaitlistEntry>>> {
  const { waitlist } = await context.client();
  return findRecord(text, context, {
    ...options,
    records: {
      kind: 'waitlist_entry',
      one: 'entry on the waiting list',
      several: 'entries on the waiting list',
      read: (id) => waitlist.getTagged(id, { searchesList: false }),
      readOf: ({ id }) => readRows(waitlist.list({ client_id: id, ...isOpen, sort: 'from' })),
      async openDescriber() {
        const clock = await readClock(context);
        return (entry) => `${toText(entry.service)}, ${renderWish(entry, clock)}`;
      },
    },
  });
}

/** When somebody would come: `Sat 5 Dec 09:00 – Sat 5 Dec 12:00`. */
export function renderWish({ from, to }: Pick<WaitlistEntry, 'from' | 'to'>, clock: ShortTimeStyle): string {
  return `${renderShortTime(toText(from), clock)} – ${renderShortTime(toText(to), clock)}`;
}
