import { reportCost } from '../messages/request-cost.ts';
import { openAppointmentReader } from '../people/appointment-reader.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { CalendarSource } from './read-calendar.ts';

/** What a calendar is read with, from the context of a command. */
export async function createCalendarSource({
  client: connect,
  session,
  messages,
  io,
}: Pick<CommandContext, 'client' | 'session' | 'messages' | 'io'>): Promise<CalendarSource> {
  const [client, { settings }] = await Promise.all([connect(), session()]);
  return {
    client,
    reader: await openAppointmentReader({ session, messages }),
    concurrency: settings.concurrency.value,
    explain: messages.verbose,
    warn: messages.warn,
    announce(records) {
      const [perHour, timeZone] = [settings.ratePerHour?.value, settings.timeZone.value];
      const nowMs = io.now().getTime();
      reportCost({ records, perPage: 1, limit: client.limits(), perHour, nowMs, timeZone }, messages);
    },
  };
}
