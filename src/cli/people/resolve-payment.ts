import { readRows, takeFirst } from '../../client/pagination/paginate.ts';
import type { Tagged } from '../../client/resources/response-record.ts';
import type { Appointment } from '../../contract/appointment.ts';
import type { Payment } from '../../contract/payment.ts';
import type { FieldValues } from '../flags/fields.ts';
import { renderShortTime } from '../messages/short-times.ts';
import { renderAmount } from '../output/cell.ts';
import { readClock } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import { chooseAmong, type FoundRecord, findRecord, readNameFor } from './client-records.ts';
import { toText } from './names.ts';
import { type NamedPerson, pickClient, type ResolveOptions, resolveClient } from './resolve.ts';
import { findAppointment, readAppointments } from './resolve-appointment.ts';

export interface PaymentOptions extends ResolveOptions {
  /** Which of a client's payments can be meant; all by default. */
  readonly isMeant?: (payment: Payment) => boolean;
}

/** The newest payments of a client that are offered. */
const maxOffered = 20;

/** Finds a payment by its ID, or by a reference to the client who paid. Throws as `findRecord` does. */
export async function findPayment(
  text: string,
  context: CommandContext,
  { isMeant = () => true, ...options }: PaymentOptions = {},
): Promise<FoundRecord<Payment, Tagged<Payment>>> {
  return findRecord(text, context, {
    ...options,
    records: {
      kind: 'payment',
      one: 'such payment',
      several: 'payments',
      read: async (id) => (await context.client()).payments.getTagged(id, { searchesList: false }),
      async readOf({ id }) {
        const { payments } = await context.client();
        const query = { client_id: id, sort: '-created_at' } as const;
        const newest = await readRows(payments.list(query, { limit: maxOffered }));
        return newest.filter((row) => toText(row.client_id) === id && isMeant(row));
      },
      async openDescriber() {
        const clock = await readClock(context);
        return ({ created_at, amount, tip_amount, currency, method }) =>
          `${renderShortTime(toText(created_at), clock)}, ${renderAmount(amount + tip_amount, currency)}, ${toText(method)}`;
      },
    },
  });
}

/** A payment in people's words, such as `Ana Costa's payment of 45.00 EUR, Fri 20 Nov 15:00`, else `payment pay_…`. */
export async function describePayment(payment: Payment, context: CommandContext, client?: NamedPerson) {
  const name = await readNameFor(client, payment.client_id, context);
  if (name === '') return `payment ${toText(payment.id)}`;
  const when = renderShortTime(toText(payment.created_at), await readClock(context));
  const amount = renderAmount(payment.amount + payment.tip_amount, payment.currency);
  return `${name}'s payment of ${amount}${when === '' ? '' : `, ${when}`}`;
}

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

async function askForAppointment(client: NamedPerson, context: CommandContext) {
  const recent = await readAppointments(client, 'recent', context);
  if (recent.length === 0) return undefined;
  const clock = await readClock(context);
  const choices = recent.map((value: Appointment | undefined) => ({
    value,
    label: `${toText(value?.service)}, ${renderShortTime(toText(value?.start_time), clock)}`,
  }));
  choices.push({ value: undefined, label: 'Something else (no appointment)' });
  return chooseAmong('For what?', choices, context);
}

/** The currency of the newest payment, if there is one that can be read. */
export async function readUsualCurrency(context: CommandContext): Promise<string | undefined> {
  try {
    const { payments } = await context.client();
    const newest = await takeFirst(payments.list({ sort: '-created_at' }, { limit: 1 }));
    return toText(newest?.rows[0]?.currency) || undefined;
  } catch {
    // It is only a suggestion.
    return undefined;
  }
}
