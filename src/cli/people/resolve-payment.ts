import type { Tagged } from '../../client/resources/record.ts';
import { SalonError } from '../../contract/errors.ts';
import { kindOfId } from '../../contract/identifiers.ts';
import type { Payment } from '../../contract/payment.ts';
import { renderShortTime } from '../messages/short-times.ts';
import { renderAmount } from '../output/cell.ts';
import type { CommandContext } from '../session/command-context.ts';
import { ifKnown } from './candidates.ts';
import { toText } from './names.ts';
import { isOwnId, parseReference } from './references.ts';
import { type NamedPerson, type ResolveOptions, resolveClient } from './resolve.ts';

export interface PaymentOptions extends ResolveOptions {
  /** Which of a client's payments can be meant; all by default. */
  readonly isMeant?: (payment: Payment) => boolean;
}

export interface FoundPayment {
  readonly id: string;
  /** Undefined if an own-format ID was given, and for a payment out of a list. */
  readonly tagged?: Tagged<Payment>;
  /** Who paid, where the reference said that. */
  readonly client?: NamedPerson;
}

/** The newest payments of a client that are offered. */
const maxOffered = 20;

/**
 * Finds a payment by its ID, or by a reference to the client who paid. Asks at a terminal if there are several;
 * elsewhere throws `usage`. Throws `not_found` if there is none.
 */
export async function findPayment(
  text: string,
  context: CommandContext,
  { isMeant = () => true, ...options }: PaymentOptions = {},
): Promise<FoundPayment> {
  const reference = parseReference(text, 'payment');
  if (isOwnId(reference, 'payment')) return { id: reference };
  const tagged = await readByForeignId(reference, context);
  if (tagged !== undefined) return { id: reference, tagged };
  const person = await resolveClient(reference, context, options);
  const client = await context.client();
  const payments: Payment[] = [];
  const query = { client_id: person.id, sort: '-created_at' } as const;
  for await (const { rows } of client.payments.list(query, { limit: maxOffered })) payments.push(...rows);
  const meant = payments.filter((row) => toText(row.client_id) === person.id && isMeant(row));
  const [only, another] = meant;
  if (only === undefined) {
    throw new SalonError('not_found', `${person.name} has no such payment.`, {
      hint: `See: salon payments list --client "${person.name}"`,
      members: { resource: 'payment', id: person.id },
    });
  }
  if (another === undefined) return { id: toText(only.id), client: person };
  const { timeZone } = (await context.session()).settings;
  const style = { timeZone: timeZone.value, now: context.io.now() };
  const describe = ({ created_at, amount, tip_amount, currency, method }: Payment) =>
    `${renderShortTime(toText(created_at), style)}, ${renderAmount(amount + tip_amount, currency)}, ${toText(method)}`;
  if (context.prompts.isInteractive) {
    const find = async (typed: string) =>
      meant
        .map((row) => ({ value: toText(row.id), label: describe(row) }))
        .filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()));
    return { id: await context.prompts.search(`Which payment of ${person.name}?`, { find }), client: person };
  }
  const lines = meant.map((row) => `    ${describe(row)}, ${toText(row.id)}`);
  throw new SalonError('usage', `${person.name} has ${meant.length} payments.`, {
    hint: `Use the ID of one of these:\n${lines.join('\n')}`,
    members: { resource: 'payment', reference: person.id, candidates: meant },
  });
}

/** Other servers choose their own IDs, but none with a space or an @. */
async function readByForeignId(
  reference: string,
  context: CommandContext,
): Promise<Tagged<Payment> | undefined> {
  if (/[\s@]/.test(reference) || kindOfId(reference) !== undefined) return undefined;
  const client = await context.client();
  return ifKnown(client.payments.getTagged(reference, { searchesList: false }));
}
