import { readRows } from '../../client/pagination/paginate.ts';
import type { Tagged } from '../../client/resources/response-record.ts';
import { type WaitlistEntry, waitingStatuses } from '../../contract/waitlist.ts';
import { renderShortDay, startOfDay, toClockText } from '../../time/local-days.ts';
import { createZoneClock, dayMs, type TimeSpan, toUtcText } from '../../time/time.ts';
import type { CommandContext } from '../session/command-context.ts';
import { type FoundRecord, findRecord, readNameFor } from './client-records.ts';
import { toText } from './names.ts';
import type { NamedPerson, ResolveOptions } from './resolve.ts';

/** The statuses of entries whose client still waits, as a filter. */
export const openStatuses = waitingStatuses.join();

/** Finds an entry of the waiting list by its ID, or by a client who waits. Throws as `findRecord` does. */
export async function findEntry(
  text: string,
  context: CommandContext,
  options: ResolveOptions = {},
): Promise<FoundRecord<WaitlistEntry, Tagged<WaitlistEntry>>> {
  return findRecord(text, context, {
    ...options,
    records: {
      kind: 'waitlist_entry',
      one: 'open entry on the waiting list',
      several: 'entries on the waiting list',
      read: async (id) => (await context.client()).waitlist.getTagged(id, { searchesList: false }),
      readOf: ({ id }) => readWaiting({ client_id: id }, context),
      async openDescriber() {
        const timeZone = await context.timeZone();
        return (entry) => `${toText(entry.service)}, ${renderWish(entry, timeZone)}`;
      },
    },
  });
}

/** Who still waits, oldest entry first: of a client, or for a time that overlaps a span. */
export async function readWaiting(
  { span, ...filters }: { readonly span?: TimeSpan; readonly client_id?: string },
  context: CommandContext,
): Promise<readonly WaitlistEntry[]> {
  const overlap = span && { from: toUtcText(span.startMs), to: toUtcText(span.endMs) };
  const { waitlist } = await context.client();
  return readRows(waitlist.list({ status: openStatuses, ...overlap, ...filters }));
}

/** `Balayage for Ana Costa, Sat 5 Dec 09:00–12:00`, as far as a record says it. */
export async function describeEntry(
  { client_id, service, from, to }: Readonly<Record<string, unknown>>,
  context: CommandContext,
  client?: NamedPerson,
): Promise<string> {
  const name = await readNameFor(client, client_id, context);
  const wish = renderWish({ from: toText(from), to: toText(to) }, await context.timeZone());
  return `${toText(service)}${name === '' ? '' : ` for ${name}`}, ${wish}`;
}

/** `Sat 5 Dec`, `Sat 5 Dec 09:00–12:00`, or `Sat 5 Dec – Fri 11 Dec` with the last day included. */
export function renderWish({ from, to }: Pick<WaitlistEntry, 'from' | 'to'>, timeZone: string): string {
  const { wall } = createZoneClock(timeZone);
  const [start, end] = [wall(Date.parse(from)), wall(Date.parse(to))];
  const isWholeDays = start % dayMs === 0 && end % dayMs === 0;
  const last = isWholeDays ? end - dayMs : end;
  const write = (ms: number) => `${renderShortDay(ms)}${isWholeDays ? '' : ` ${toClockText(ms)}`}`;
  if (startOfDay(start) !== startOfDay(last)) return `${write(start)} – ${write(last)}`;
  return isWholeDays ? write(start) : `${write(start)}–${toClockText(end)}`;
}
