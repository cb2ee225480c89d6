import { readRows, readWhole } from '../../../client/pagination/paginate.ts';
import type { Appointment } from '../../../contract/appointment.ts';
import { SalonError } from '../../../contract/errors.ts';
import { paymentStates, toPaymentState } from '../../../contract/payment.ts';
import { countOf } from '../../../text/numbers.ts';
import type { Handler } from '../../action-runner.ts';
import { readListQuery, withWantedNames } from '../../export/list-records.ts';
import type { FieldValues } from '../../flags/fields.ts';
import type { FlagTable, FlagValues } from '../../flags/flag.ts';
import { type ConfirmationFlags, filterFlags, printFlags } from '../../flags/options.ts';
import { renderShortTime } from '../../messages/short-times.ts';
import { nouns } from '../../nouns/nouns.ts';
import { renderAmount } from '../../output/cell.ts';
import { type ColumnSet, contactColumns } from '../../output/columns.ts';
import { onePage } from '../../output/command-result.ts';
import { readClock } from '../../output/format.ts';
import type { NamedPerson } from '../../people/resolve.ts';
import { readCurrency } from '../../session/account.ts';
import type { CommandContext } from '../../session/command-context.ts';

/** Appointments with what is to be paid of them. */
const dueColumns: ColumnSet = {
  all: [
    ...nouns.appointments.columns.all.filter(({ key }) =>
      ['id', 'client_id', 'service', 'start_time', 'price', 'paid_amount'].includes(key),
    ),
    { key: 'due_amount', kind: 'amount' },
    { key: 'currency', kind: 'text' },
    { key: 'payment', kind: 'status' },
  ],
  table: [
    ...['start_time', 'client_name', 'client_phone', 'service'],
    ...['price', 'paid_amount', 'due_amount', 'payment', 'id'],
  ],
  optional: ['price', 'paid_amount', 'id'],
  names: contactColumns,
};

export const dueFlags = {
  client: filterFlags.client,
  from: { flag: '--from <when>', help: 'Starting at or after, e.g. yesterday, -7d' },
  to: { flag: '--to <when>', help: 'Starting before; a date includes the whole day' },
  ...printFlags,
} as const satisfies FlagTable;

export const listDue: Handler<FlagValues<typeof dueFlags>> = async (context, words) => {
  const when = words.length === 0 ? undefined : words.join(' ');
  const { from = when, to = when } = context.flags;
  if (when !== undefined && (from !== when || to !== when))
    throw new SalonError('usage', 'Pass the time only once: in words or as a flag.');
  const [{ resolvePeople }, { requireServices }] = await Promise.all([
    import('../../people/resolve-filters.ts'),
    import('../../availability/salon-facts.ts'),
  ]);
  await requireServices(context);
  const filters = {
    ...(await resolvePeople(context)),
    start_time_from: { moment: from, edge: 'start' },
    start_time_to: { moment: to, edge: 'end' },
  } as const;
  const { query } = await readListQuery(context, filters);
  const currency = (await readCurrency(context)) ?? null;
  const { appointments } = await context.client();
  const rows: Record<string, unknown>[] = [];
  let total = 0;
  for (const payment of paymentStates) {
    const list = appointments.list({ ...query, payment, sort: 'start_time' });
    for await (const page of readWhole(list, 'appointments')) {
      for (const { id, client_id, service, start_time, price, paid_amount } of page.rows) {
        const due_amount = payment === 'due' ? (price ?? 0) - (paid_amount ?? 0) : null;
        total += due_amount ?? 0;
        rows.push({ id, client_id, service, start_time, price, paid_amount, due_amount, currency, payment });
      }
    }
  }
  const checks = rows.filter(({ payment }) => payment === 'check').length;
  const count = countOf(rows.length - checks, 'appointments');
  if (rows.length > checks) context.messages.info(`${count} due: ${renderAmount(total, currency)} in all.`);
  if (checks > 0) {
    const which = countOf(checks, 'appointments');
    context.messages.info(`To check: ${which} with payments in another currency, neither due nor paid.`);
  }
  const pages = await withWantedNames(onePage(rows), dueColumns, context);
  return { show: 'records', noun: 'appointments due', columns: dueColumns, pages };
};

interface Balance {
  /** Undefined where nothing, or nothing in this currency, is due. */
  readonly amount?: number;
  readonly appointment: Appointment;
}

/**
 * The appointment that a payment is for, and what is due of it; without one, the only one of its client that is due or,
 * if none is, to come and not paid. Of one that is paid already asks at a terminal whether to go on, warns elsewhere, and throws `usage` without an amount.
 */
export async function findBalance(
  payment: FieldValues,
  { currency, ofPrices }: { readonly currency: unknown; readonly ofPrices: string | undefined },
  context: CommandContext<Partial<ConfirmationFlags>>,
): Promise<Balance | undefined> {
  const { appointment_id: id, client_id: clientId, amount } = payment;
  const appointment =
    typeof id === 'string'
      ? await (await context.client()).appointments.get(id)
      : typeof clientId === 'string' && amount === undefined
        ? await findOnlyDue(clientId, context)
        : undefined;
  if (appointment === undefined) return undefined;
  const { price, paid_amount: paid } = appointment;
  const state = toPaymentState(appointment);
  if (state === 'paid') {
    const sums = new Set([paid, price].map((one) => renderAmount(one ?? 0, ofPrices)));
    const fact = `Paid already (${[...sums].join(' for a price of ')}): ${await describe(appointment, context)}.`;
    const hint = amount === undefined ? 'For another payment, give its --amount.' : undefined;
    await askOrWarn({ fact, question: 'Record another payment?', hint }, context);
  }
  if (state !== 'due' || String(currency).toUpperCase() !== ofPrices) return { appointment };
  return { amount: (price ?? 0) - (paid ?? 0), appointment };
}

/** Of a payment in another currency than prices, or of another amount than is due, asks at a terminal; warns elsewhere. */
export async function confirmUnusual(
  { amount, currency }: FieldValues,
  { balance, ofPrices }: { readonly balance: Balance | undefined; readonly ofPrices: string | undefined },
  context: CommandContext<Partial<ConfirmationFlags>>,
): Promise<void> {
  const [due, paid] = [balance?.amount ?? 0, Number(amount)].map((one) => renderAmount(one, ofPrices));
  const fact =
    ofPrices !== undefined && currency !== ofPrices
      ? `Prices are in ${ofPrices}, but the payment is in ${currency}.`
      : balance?.amount !== undefined && amount !== balance.amount
        ? `${due} is due of ${await describe(balance.appointment, context)}, but the payment is ${paid}.`
        : undefined;
  if (fact !== undefined) await askOrWarn({ fact, question: 'Record it?' }, context);
}

export async function describe(appointment: Appointment, context: CommandContext, client?: NamedPerson) {
  const { describeAppointment } = await import('../../people/resolve-appointment.ts');
  return describeAppointment(appointment, context, client);
}

/** Throws `usage` instead of a warning if there is a hint. */
async function askOrWarn(
  { fact, question, hint }: { fact: string; question: string; hint?: string | undefined },
  { flags, messages, prompts, confirm }: CommandContext<Partial<ConfirmationFlags>>,
): Promise<void> {
  if (prompts.isInteractive && flags.yes !== true) return confirm(`${fact} ${question}`);
  if (hint !== undefined) throw new SalonError('usage', fact, { hint });
  messages.warn(fact);
}

/** Undefined if nothing is due, or the server does not say. Throws `usage` if several are, and a script gives no amount. */
async function findOnlyDue(clientId: string, context: CommandContext): Promise<Appointment | undefined> {
  const { findServices } = await import('../../availability/salon-facts.ts');
  if (context.prompts.isInteractive || (await findServices(context)) === undefined) return undefined;
  const { appointments } = await context.client();
  const list = appointments.list({ client_id: clientId, payment: 'due' });
  const due = await readRows(readWhole(list, 'appointments'));
  const { readVisits } = await import('../../people/resolve-appointment.ts');
  const ahead = async () => (await readVisits({ id: clientId, name: clientId }, context)).coming;
  const found = due.length > 0 ? due : (await ahead()).filter((row) => toPaymentState(row) === 'due');
  if (found.length < 2) return found[0];
  const clock = await readClock(context);
  const lines = found.map(
    ({ id, service, start_time }) => `    ${renderShortTime(start_time, clock)} ${service}, ${id}`,
  );
  const which = due.length > 0 ? 'due' : 'to come';
  throw new SalonError('usage', `${found.length} appointments of this client are ${which}.`, {
    hint: `Name one with --appointment, or give --amount:\n${lines.join('\n')}`,
  });
}
