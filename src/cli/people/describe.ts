import type { Appointment } from '../../contract/appointment.ts';
import type { Payment } from '../../contract/payment.ts';
import { renderShortTime } from '../messages/short-times.ts';
import { renderAmount } from '../output/cell.ts';
import type { CommandContext } from '../session/command-context.ts';
import { nameOfClient, toText } from './names.ts';
import type { NamedPerson } from './resolve.ts';

/** Fields that say which appointment is meant; a server may leave any of them out. */
export type NamedAppointment = Partial<Pick<Appointment, 'id' | 'client_id' | 'service' | 'start_time'>>;

/**
 * An appointment in people's words, such as `Ana Costa's Balayage, Fri 27 Nov 15:00`. Reads the client's name if it is
 * not known and somebody reads the messages; `appointment apt_…` where there is nothing to name it by.
 */
export async function describeAppointment(
  appointment: NamedAppointment,
  context: CommandContext,
  client?: NamedPerson,
): Promise<string> {
  const id = toText(appointment.id);
  const name = isNamed(client) ? client.name : await readClientName(toText(appointment.client_id), context);
  if (name === '' && !isReadByPeople(context)) return `appointment ${id}`;
  const { timeZone } = (await context.session()).settings;
  const style = { timeZone: timeZone.value, now: context.io.now() };
  const service = toText(appointment.service) || 'appointment';
  const start = toText(appointment.start_time);
  const when = start === '' ? '' : `, ${renderShortTime(start, style)}`;
  return name === '' && start === ''
    ? `appointment ${id}`
    : `${name === '' ? '' : `${name}'s `}${service}${when}`;
}

/** A payment in people's words, such as `Ana Costa's payment of 45.00 EUR, Fri 20 Nov 15:00`, else `payment pay_…`. */
export async function describePayment(
  payment: Payment,
  context: CommandContext,
  client?: NamedPerson,
): Promise<string> {
  const id = toText(payment.id);
  const name = isNamed(client) ? client.name : await readClientName(toText(payment.client_id), context);
  if (name === '') return `payment ${id}`;
  const { timeZone } = (await context.session()).settings;
  const style = { timeZone: timeZone.value, now: context.io.now() };
  const when = renderShortTime(toText(payment.created_at), style);
  const amount = renderAmount(payment.amount + payment.tip_amount, payment.currency);
  return `${name}'s payment of ${amount}${when === '' ? '' : `, ${when}`}`;
}

/** A client's name, read only if somebody reads the messages; empty where it cannot be read. */
async function readClientName(id: string, context: CommandContext): Promise<string> {
  if (id === '' || !isReadByPeople(context)) return '';
  try {
    return nameOfClient(await (await context.client()).clients.get(id, { searchesList: false }));
  } catch {
    return '';
  }
}

function isNamed(person: NamedPerson | undefined): person is NamedPerson {
  return person !== undefined && person.name !== person.id;
}

function isReadByPeople({ io, flags }: CommandContext): boolean {
  return io.terminal.messages && flags.quiet !== true;
}
