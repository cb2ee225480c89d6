import { isSameService } from '../../contract/salon-service.ts';
import type { WaitlistEntry } from '../../contract/waitlist.ts';
import { countOf } from '../../text/numbers.ts';
import { foldText } from '../../text/search-text.ts';
import { minuteMs, type TimeSpan, toUtcText } from '../../time/time.ts';
import { readAvailability } from '../availability/availability.ts';
import type { AvailableSlot } from '../availability/free-slots.ts';
import { findListedService, readUsualServices } from '../availability/usual-services.ts';
import { withWantedNames } from '../export/list-records.ts';
import type { PrintFlags } from '../flags/options.ts';
import { type ColumnSet, columnSet, contactColumns } from '../output/columns.ts';
import { type CommandResult, onePage } from '../output/command-result.ts';
import { readClock } from '../output/format.ts';
import { readWaiting } from '../people/resolve-entry.ts';
import type { CommandContext } from '../session/command-context.ts';
import { parseFreePeriod } from './words.ts';

const matchColumns: ColumnSet = {
  ...columnSet({
    ...{ service: 'text', start_time: 'instant', stylist_name: 'text', free_times: 'integer', note: 'text' },
    ...{ client_id: 'text', stylist_id: 'text', end_time: 'instant', id: 'text' },
  }),
  table: ['client_name', 'client_phone', 'service', 'start_time', 'stylist_name', 'free_times', 'note', 'id'],
  optional: ['note', 'free_times', 'id'],
  names: contactColumns,
};

/** Lists who is waiting for free time of a day or a moment; those who have waited longest come first. */
export async function matchWaiting(
  context: CommandContext<PrintFlags>,
  words: readonly string[],
): Promise<CommandResult> {
  const period = parseFreePeriod(words, {}, await readClock(context));
  const startMs = Math.ceil(period.startMs / minuteMs) * minuteMs;
  const isMoment = period.startMs === period.endMs;
  const span = { startMs, endMs: isMoment ? startMs + minuteMs : period.endMs };
  const waiting = await readWaiting({ span }, context);
  const slots = new Map<string, readonly AvailableSlot[]>();
  for (const [key, [entry]] of Map.groupBy(waiting, ({ service }) => foldText(service))) {
    if (entry !== undefined) slots.set(key, await readFreeFor(entry, span, context, isMoment ? 1 : 15));
  }
  const rows = waiting.flatMap((entry) => {
    const { id, client_id, service, note } = entry;
    const fitting = (slots.get(foldText(service)) ?? []).filter((slot) => fits(entry, slot));
    const [first] = fitting;
    if (first === undefined) return [];
    const times = { start_time: toUtcText(first.startMs), end_time: toUtcText(first.endMs) };
    const stylist = { stylist_name: first.stylistName, stylist_id: first.stylistId };
    return [
      {
        client_id,
        service,
        ...times,
        ...stylist,
        free_times: new Set(fitting.map((slot) => slot.startMs)).size,
        note,
        id,
      },
    ];
  });
  const others = waiting.length - rows.length;
  const which = rows.length > 0 ? 'other entries' : 'entries';
  if (others > 0) context.messages.info(`No free time fits for ${countOf(others, which)}.`);
  const pages = await withWantedNames(onePage(rows), matchColumns, context);
  return { show: 'records', noun: 'matches', columns: matchColumns, pages };
}

/** The free times in a span for the service that an entry waits for. */
export async function readFreeFor(
  { service }: Pick<WaitlistEntry, 'service'>,
  span: TimeSpan,
  context: CommandContext,
  stepMinutes?: number,
): Promise<readonly AvailableSlot[]> {
  const isSame = (one: { readonly service: string }) => isSameService(one.service, service);
  const known =
    (await findListedService(service, context)) ?? (await readUsualServices(context)).find(isSame);
  if (known === undefined) {
    context.messages.warn(`How long ${service} takes is not known: free times are for 30 minutes.`);
  }
  const durationMinutes = known?.usualMinutes ?? 30;
  return readAvailability(context, { span, durationMinutes, service, stepMinutes });
}

/** Whether a free time is one that an entry waits for. */
export function fits({ stylist_id, from, to }: WaitlistEntry, slot: AvailableSlot): boolean {
  const isFor = stylist_id === null || stylist_id === slot.stylistId;
  return isFor && slot.startMs >= Date.parse(from) && slot.endMs <= Date.parse(to);
}
