import { type AppointmentReader, createAppointmentReader } from '../../client/read-appointment.ts';
import type { CommandContext } from '../session/command-context.ts';

/** Times without a zone are the salon's. Where nobody has set its zone, they are said to be ambiguous. */
export async function openAppointmentReader({
  session,
  messages,
}: Pick<CommandContext, 'session' | 'messages'>): Promise<AppointmentReader> {
  const { settings, profileName = '<profile>' } = await session();
  const { value: zone, source } = settings.timeZone;
  return createAppointmentReader(zone, () => {
    if (source !== 'default') return;
    const command = `salon profiles set ${profileName} time_zone ${zone}`;
    messages.warn(
      `Times without a zone are ambiguous: taken as local times of ${zone}. To set it: ${command}`,
    );
  });
}
