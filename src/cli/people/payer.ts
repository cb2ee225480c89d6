import type { Appointment } from '../../contract/appointment.ts';
import type { FieldValues } from '../flags/fields.ts';
import { renderShortTime } from '../messages/short-times.ts';
import type { CommandContext } from '../session/command-context.ts';
import { toText } from './names.ts';
import { type NamedPerson, pickClient, resolveClient } from './resolve.ts';
import { findAppointment, readRecentAppointments } from './resolve-appointment.ts';

/** Who pays, and for which appointment. */
export interface Payer {
  readonly fields: FieldValues;
  readonly client?: NamedPerson | undefined;
}

/** The client and appointment that the flags refer to. */
export async function resolvePayer(
  { client, appointment }: { readonly client?: string; readonly appointment?: string },
  context: CommandContext,
): Promise<Payer> {
  const person = client === undefined ? undefined : await resolveClient(client, context, { isWrite: true });
  const found =
    appointment === undefined
      ? undefined
      : await findAppointment(appointment, context, { isWrite: true, period: 'recent' });
  return {
    fields: {
      ...(person === undefined ? {} : { client_id: person.id }),
      ...(found === undefined ? {} : { appointment_id: found.id }),
    },
    client: person ?? found?.client,
  };
}

/** Asks who paid and for what, unless that is known. */
export async function askForPayer(fields: FieldValues, context: CommandContext): Promise<Payer> {
  if (fields['appointment_id'] !== undefined) return { fields: {} };
  const given = toText(fields['client_id']);
  const client =
    given === ''
      ? await pickClient<undefined>('Who paid?', context, {
          others: () => [{ value: undefined, label: 'Somebody else (no client)' }],
        })
      : { id: given, name: given };
  if (client === undefined) return { fields: {} };
  const appointment = await askForAppointment(client, context);
  const paidFor = appointment === undefined ? {} : { appointment_id: toText(appointment.id) };
  return { fields: { client_id: client.id, ...paidFor }, client };
}

async function askForAppointment(
  client: NamedPerson,
  context: CommandContext,
): Promise<Appointment | undefined> {
  const recent = await readRecentAppointments(client, context);
  if (recent.length === 0) return undefined;
  const { timeZone } = (await context.session()).settings;
  const style = { timeZone: timeZone.value, now: context.io.now() };
  const choices = recent.map((row) => ({
    value: row as Appointment | undefined,
    label: `${toText(row.service)}, ${renderShortTime(row.start_time, style)}`,
  }));
  const all = [...choices, { value: undefined, label: 'Something else (no appointment)' }];
  const find = async (typed: string) =>
    all.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()));
  return context.prompts.search('For what?', { find });
}

/** The currency of the newest payment, if there is one that can be read. */
export async function readUsualCurrency(context: CommandContext): Promise<string | undefined> {
  try {
    const client = await context.client();
    for await (const { rows } of client.payments.list({ sort: '-created_at' }, { limit: 1 })) {
      return toText(rows[0]?.currency) || undefined;
    }
  } catch {
    // It is only a suggestion.
  }
  return undefined;
}
