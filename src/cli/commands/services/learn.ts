import { readRows, readWhole } from '../../../client/pagination/paginate.ts';
import { SalonError, withContext } from '../../../contract/errors.ts';
import type { Payment } from '../../../contract/payment.ts';
import { isSameService } from '../../../contract/salon-service.ts';
import { countOf } from '../../../text/numbers.ts';
import { dayMs, toUtcText } from '../../../time/time.ts';
import { type BusyVisit, readBusyVisits, requireServices } from '../../availability/salon-facts.ts';
import { learnUsual, mostFrequent } from '../../availability/usual-services.ts';
import type { PrintFlags, WriteFlags } from '../../flags/options.ts';
import { renderAmount, renderMinutes } from '../../output/cell.ts';
import { columnSet } from '../../output/columns.ts';
import { type CommandResult, onePage } from '../../output/command-result.ts';
import { alignTexts } from '../../output/table-layout.ts';
import { readCurrency } from '../../session/account.ts';
import type { CommandContext } from '../../session/command-context.ts';

const learningDays = 182;
/** A name that was booked less often may be a typing mistake. */
const leastBookings = 3;
/** A price needs this many payments, and this share of them of one amount. */
const leastPayments = 3;
const clearShare = 2 / 3;

type Proposal = {
  readonly name: string;
  readonly duration: number;
  readonly price: number | null;
  readonly bookings: number;
  readonly currency: string | null;
};

const columns = columnSet({
  ...{ name: 'text', duration: 'minutes', price: 'amount', bookings: 'integer', currency: 'text' },
});

/** Adds the services that were booked in the past half year and are not listed yet, once somebody agrees. */
export async function learnServices(
  context: CommandContext<WriteFlags & PrintFlags>,
): Promise<CommandResult> {
  const listed = await requireServices(context);
  const currency = (await readCurrency(context)) ?? null;
  const endMs = context.io.now().getTime();
  const startMs = endMs - learningDays * dayMs;
  const visits = await readBusyVisits(context, { startMs, endMs, isSample: true });
  const paid = await readSinglePayments(context, startMs);
  const unlisted = learnUsual(visits).filter(
    ({ service }) => !listed.some(({ name }) => isSameService(name, service)),
  );
  const proposals = unlisted
    .filter(({ count }) => count >= leastBookings)
    .map(({ service, usualMinutes, count }): Proposal => {
      const own = visits.filter((visit) => isSameService(visit.service, service));
      const price = currency === null ? null : findPrice(own, paid, currency);
      return { name: service, duration: usualMinutes, price, bookings: count, currency };
    });
  const rare = unlisted.length - proposals.length;
  if (rare > 0) {
    context.messages.info(`Left out: ${countOf(rare, 'services')} booked less than ${leastBookings} times.`);
  }
  if (currency === null) {
    context.messages.warn('The salon has no currency, so no prices: salon settings set currency EUR');
  }
  const result = { show: 'records', noun: 'new services', columns, pages: onePage(proposals) } as const;
  if (proposals.length === 0) return result;
  const bodies = proposals.map(({ name, duration, price }) => ({ name, duration, price }));
  if (context.flags.dryRun) {
    const verdict = await context.checkDryRun(async ({ services }) => {
      for (const body of bodies) await services.create(body);
    });
    context.messages.info(`Would add ${countOf(proposals.length, 'services')}.\n${verdict}`);
    return result;
  }
  context.messages.show(renderProposals(proposals));
  await context.confirm(`Add ${countOf(proposals.length, 'services')}?`);
  const { services } = await context.client();
  for (const [added, body] of bodies.entries()) {
    try {
      await services.create(body);
    } catch (error) {
      if (!(error instanceof SalonError)) throw error;
      const hint = `${countOf(added, 'services')} of ${bodies.length} were added; run the command again for the others.`;
      throw withContext(error, { message: `${body.name}: ${error.message}`, hint });
    }
  }
  context.messages.info(
    `Added ${countOf(proposals.length, 'services')}. To change one: salon services update`,
  );
  return result;
}

/** The only completed payment of each appointment, by its ID; nothing refunded. */
async function readSinglePayments(
  context: CommandContext,
  startMs: number,
): Promise<ReadonlyMap<string, Payment>> {
  const { payments } = await context.client();
  const query = { created_from: toUtcText(startMs), status: 'completed' } as const;
  const all = await readRows(readWhole(payments.list(query), 'payments'));
  const completed = all.filter(({ status }) => status === 'completed');
  const byAppointment = Map.groupBy(completed, ({ appointment_id: id }) => id);
  const single = [...byAppointment].flatMap(([id, [only, another]]) =>
    id !== null && only !== undefined && another === undefined && only.refunded_amount === 0
      ? [[id, only] as const]
      : [],
  );
  return new Map(single);
}

/** The amount that most visits of a service were paid with; null where that is not clear. */
function findPrice(
  visits: readonly BusyVisit[],
  paid: ReadonlyMap<string, Payment>,
  currency: string,
): number | null {
  const amounts = visits.flatMap(({ id = '' }) => {
    const payment = paid.get(id);
    return payment?.currency === currency && payment.amount > 0 ? [payment.amount] : [];
  });
  const usual = mostFrequent(amounts);
  const same = amounts.filter((amount) => amount === usual).length;
  return usual !== undefined && amounts.length >= leastPayments && same >= amounts.length * clearShare
    ? usual
    : null;
}

function renderProposals(proposals: readonly Proposal[]): string {
  const rows = proposals.map(({ name, duration, price, bookings, currency }) => [
    name,
    renderMinutes(duration),
    price === null ? 'no clear price' : renderAmount(price, currency),
    countOf(bookings, 'bookings'),
  ]);
  return alignTexts(rows)
    .map((line) => `  ${line}`)
    .join('\n');
}
