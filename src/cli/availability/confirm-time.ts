import { toText } from '../people/names.ts';
import type { FoundAppointment } from '../people/resolve-appointment.ts';
import type { CommandContext } from '../session/command-context.ts';
import { checkBookingTime } from './check-booking-time.ts';

const timeFields = ['start_time', 'duration', 'stylist_id'];

/**
 * Asks at a terminal before an appointment moves into the past or outside the stylist's hours; in a script, warns of the
 * past alone. Throws `confirmation_required` for a no.
 */
export async function confirmUnusualTime(
  change: Readonly<Record<string, unknown>>,
  found: FoundAppointment,
  context: CommandContext<{ readonly yes?: boolean; readonly dryRun?: boolean }>,
): Promise<void> {
  const { flags, messages, prompts } = context;
  if (!timeFields.some((field) => field in change)) return;
  const asks = prompts.isInteractive && flags.yes !== true && flags.dryRun !== true;
  if (!asks && !('start_time' in change)) return;
  const record =
    found.record ?? (asks ? await (await context.client()).appointments.get(found.id) : undefined);
  const doubts = await checkBookingTime(context, {
    stylistId: toText(change['stylist_id'] ?? record?.stylist_id),
    start: toText(change['start_time'] ?? record?.start_time),
    durationMinutes: Number(change['duration'] ?? record?.duration) || 0,
  });
  if (doubts.length === 0) return;
  if (asks) await context.confirm(`${doubts.join(' ')} Change it anyway?`);
  else for (const doubt of doubts) messages.warn(doubt);
}
