import { SalonError, withContext } from '../../contract/errors.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { findNextFree } from '../availability/availability.ts';
import { salonFacts } from '../availability/salon-facts.ts';
import { renderSpokenTime } from '../messages/spoken-time.ts';
import { readClientNames } from '../people/client-names.ts';
import { toText } from '../people/names.ts';
import type { CommandContext } from '../session/command-context.ts';
import { renderWhen } from './when.ts';

/** The time that was refused. */
export interface RefusedTime {
  readonly start?: string | undefined;
  readonly durationMinutes?: number | undefined;
  readonly stylist: { readonly id: string; readonly name: string };
  /** The appointment that is moved; it is not in its own way. */
  readonly movedId?: string | undefined;
}

/**
 * A conflict in words: who is booked then, and when the stylist is free next. Any other error, and what cannot be found
 * out, is left as it is.
 */
export async function explainConflict<Thrown>(
  error: Thrown,
  refused: RefusedTime,
  context: CommandContext,
): Promise<Thrown | SalonError> {
  if (!(error instanceof SalonError) || error.code !== 'appointment_conflict') return error;
  const [booked, free] = await Promise.all([
    describeBooked(error, refused, context).catch(() => undefined),
    // It costs a script several requests.
    context.io.terminal.messages ? describeNextFree(refused, context).catch(() => undefined) : undefined,
  ]);
  const message = [booked ?? error.message, ...(free === undefined ? [] : [free])].join(' ');
  return withContext(error, { message });
}

/** `Mia is booked Fri 27 Nov 15:00–16:00 (Ben Okafor).` */
async function describeBooked(
  { members }: SalonError,
  { stylist }: RefusedTime,
  context: CommandContext,
): Promise<string | undefined> {
  const ids = members['conflicting_appointment_ids'];
  const [id, ...more] = Array.isArray(ids) ? ids.map(toText).filter(isIdentifier) : [];
  if (id === undefined) return undefined;
  const [client, { settings }] = await Promise.all([context.client(), context.session()]);
  const [{ client_id, start_time, duration }, stylists] = await Promise.all([
    client.appointments.get(id),
    salonFacts(context).stylists(),
  ]);
  const names = await readClientNames([toText(client_id)], {
    client,
    concurrency: settings.concurrency.value,
    announce() {},
    warn() {},
  });
  const who = names.get(toText(client_id)) ?? toText(client_id);
  const style = { timeZone: settings.timeZone.value, now: context.io.now() };
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  const name = stylists?.find((one) => one.id === stylist.id)?.name ?? stylist.name;
  return `${name} is booked ${renderWhen(start_time, Number(duration), style)} (${who}${others}).`;
}

/** `Next free: Fri 27 Nov 16:15.` */
async function describeNextFree(
  { start, durationMinutes, stylist, movedId }: RefusedTime,
  context: CommandContext,
): Promise<string | undefined> {
  if (start === undefined || durationMinutes === undefined) return undefined;
  const next = await findNextFree(context, {
    from: start,
    stylistId: stylist.id,
    durationMinutes,
    ignoreAppointmentId: movedId,
  });
  if (next === undefined) return undefined;
  const { timeZone } = (await context.session()).settings;
  return `Next free: ${renderSpokenTime(next.start, { timeZone: timeZone.value, now: context.io.now() })}.`;
}
