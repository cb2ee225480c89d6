import { readStatus } from '../../client/appointment-status.ts';
import { readRows, takeFirst } from '../../client/pagination/paginate.ts';
import type { Tagged } from '../../client/resources/response-record.ts';
import { type Payment, toPaymentState } from '../../contract/payment.ts';
import { type FieldValues, toDefinedFields } from '../flags/fields.ts';
import { renderShortTime } from '../messages/short-times.ts';
import { renderAmount } from '../output/cell.ts';
import { readClock } from '../output/format.ts';
import { readCurrency } from '../session/account.ts';
import type { CommandContext } from '../session/command-context.ts';
import { chooseAmong, type FoundRecord, findRecord, readNameFor } from './client-records.ts';
import { toText } from './names.ts';
import { type NamedPerson, pickClient, type ResolveOptions, resolveClient } from './resolve.ts';
import { findAppointment, isUnpaid, readVisits } from './resolve-appointment.ts';

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

/** Who pays, and for whose appointment. */
export interface Payer {
  readonly fields: FieldValues;
  readonly client?: NamedPerson | undefined;
  /** Who has the appointment, where that is known. */
  readonly served?: NamedPerson | undefined;
}

/** The client and appointment that the flags refer to. Who pays may be another than who has the appointment. */
export async function resolvePayer(
  { client, appointment }: { readonly client?: string; readonly appointment?: string },
  context: CommandContext,
): Promise<Payer> {
  const options = { isWrite: true, readMarks: () => readOwed(context) };
  const person = client === undefined ? undefined : await resolveClient(client, context, options);
  const found =
    appointment === undefined
      ? undefined
      : await findAppointment(appointment, context, { isWrite: true, period: 'pay' });
  return {
    fields: toDefinedFields({ client_id: person?.id, appointment_id: found?.id }),
    client: person ?? found?.client,
    served: found?.client,
  };
}

/** Asks who paid and for what, unless that is known. */
export async function askForPayer(fields: FieldValues, context: CommandContext): Promise<Payer> {
  if (fields['appointment_id'] !== undefined) return { fields: {} };
  const given = toText(fields['client_id']);
  const client =
    given === ''
      ? await pickClient<undefined>('Who paid?', context, {
          items: await readOwed(context),
          others: () => [{ value: undefined, label: 'Somebody else (no client)' }],
        })
      : { id: given, name: given };
  if (client === undefined) return { fields: {} };
  const { id, served } = await askForAppointment(client, context);
  return { fields: toDefinedFields({ client_id: client.id, appointment_id: id }), client, served };
}

/** Offers a client's appointments, first what is not paid, and at the first question those of another client. */
async function askForAppointment(
  client: NamedPerson,
  context: CommandContext,
  payer?: NamedPerson,
): Promise<{ readonly id?: string; readonly served?: NamedPerson }> {
  const { recent, coming } = await readVisits(client, context);
  const clock = await readClock(context);
  const visits = [...recent, ...coming].map((row) => ({
    value: { id: toText(row.id), served: client },
    label: `${toText(row.service)}, ${renderShortTime(toText(row.start_time), clock)}`,
    hint: isUnpaid(row) ? '' : 'paid',
  }));
  const choices = [
    ...visits.toSorted((one, other) => one.hint.length - other.hint.length),
    ...(payer ? [] : [{ value: undefined, label: "Somebody else's appointment" }]),
    { value: {}, label: 'Something else (no appointment)' },
  ];
  const question = payer ? `Which appointment of ${client.name}?` : 'For what?';
  const chosen = await chooseAmong(question, choices, context);
  if (chosen !== undefined) return chosen;
  const other = await pickClient('Whose appointment?', context, { except: client.id });
  return askForAppointment(other, context, client);
}

/** What clients owe of completed appointments, by ID: of the newest ones, where the server and the key show them. */
export async function readOwed(context: CommandContext): Promise<ReadonlyMap<string | undefined, string>> {
  const owed = new Map<string, number>();
  try {
    const { appointments } = await context.client();
    const list = appointments.list({ payment: 'due', sort: '-start_time' }, { limit: 100 });
    for (const row of await readRows(list)) {
      const { client_id, status, price, paid_amount } = row;
      if (readStatus(status) !== 'completed' || toPaymentState(row) !== 'due') continue;
      owed.set(client_id, (owed.get(client_id) ?? 0) + (price ?? 0) - (paid_amount ?? 0));
    }
    const currency = owed.size === 0 ? undefined : await readCurrency(context);
    return new Map([...owed].map(([id, amount]) => [id, `owes ${renderAmount(amount, currency)}`]));
  } catch {
    // It only says who may be meant.
    return new Map();
  }
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
