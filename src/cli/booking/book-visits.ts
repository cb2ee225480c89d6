import type { Fields } from '../../client/json-object.ts';
import { SalonError } from '../../contract/errors.ts';
import { openBulkEdits } from '../edit/bulk-edit.ts';
import { runWithProgress } from '../edit/edit-result.ts';
import { reportApplied } from '../edit/review-plan.ts';
import type { visitFlags } from '../flags/booking-flags.ts';
import type { FlagValues } from '../flags/flag.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import { columnSet } from '../output/columns.ts';
import { type CommandResult, onePage } from '../output/command-result.ts';
import { readClock } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import { uncheckedRules } from '../session/confirmation.ts';
import { type Booking, type Bookings, toFields } from './draft.ts';
import { findStandIn } from './new-client.ts';
import { describeBooking } from './summary.ts';

type VisitFlags = FlagValues<typeof visitFlags> & { readonly dryRun?: boolean };

/**
 * Books several appointments as one job, which has the words as its name. On a server without batches, some may be booked
 * when one is refused: asks whether to cancel them.
 */
export async function bookVisit(
  bookings: Bookings,
  words: readonly string[],
  context: CommandContext<VisitFlags>,
): Promise<CommandResult> {
  const { flags, messages, prompts } = context;
  const edits = await openBulkEdits(context, await context.timeZone());
  const standIn = flags.dryRun === true ? await findStandIn(context) : undefined;
  const toBody = (one: Booking) => ({ ...toFields(one), client_id: one.client?.id ?? standIn });
  const bodies = bookings.map(toBody);
  const onConflict = flags.onConflict === 'skip' ? 'skip' : 'refuse';
  const planned = context.closeAtEnd(await edits.planBookings(bodies, { name: words.join(' '), onConflict }));
  if (flags.dryRun === true) {
    const checked = await edits.check(planned);
    messages.info(checked === undefined ? uncheckedRules : 'Dry run: nothing was changed.');
    const rows: Fields[] = [];
    for await (const { refusal } of (checked ?? planned.plan).rows()) {
      const client_id = bookings[rows.length]?.client?.id ?? null;
      rows.push({ ...bodies[rows.length], client_id, problem: refusal?.reason ?? null });
    }
    const refusedCount = rows.filter(({ problem }) => problem !== null).length;
    const isNone = onConflict === 'refuse' || refusedCount === rows.length;
    const { code: exitCode } = exitCodes[refusedCount === 0 ? 'done' : isNone ? 'conflict' : 'partly'];
    const pages = onePage(rows);
    return { show: 'records', noun: 'bookings', columns: bookingColumns, pages, exitCode };
  }
  const run = await runWithProgress((options) => edits.apply(planned, options), context);
  // Where they are booked one by one, the first refusal is too many.
  const isRefused = run.stop?.code === 'budget_exceeded';
  const refused = new SalonError('bookings_refused', 'One booking was refused; the rest was not tried.');
  const applied = isRefused ? { ...run, stop: refused } : run;
  const result = await reportApplied(applied, context);
  const { done, accepted, doubtful } = applied.tally;
  if (done + accepted + doubtful === 0) {
    throw new SalonError('bookings_refused', 'Nothing was booked.', {
      hint: 'Look at the dates again: repeat the command.',
    });
  }
  if (applied.stop === undefined) return result;
  const style = await readClock(context);
  const booked = bookings.slice(0, done + accepted).map((booking) => `  ${describeBooking(booking, style)}`);
  messages.show(['Booked already:', ...booked].join('\n'));
  if (!prompts.isInteractive || !(await prompts.confirm('Cancel them?'))) {
    messages.show(`To cancel them: salon jobs undo ${applied.id}`);
    return result;
  }
  const undo = context.closeAtEnd(await edits.planUndo(applied.id));
  return reportApplied(await runWithProgress((options) => edits.apply(undo, options), context), context);
}

const bookingColumns = columnSet({
  ...{ start_time: 'instant', duration: 'integer', service: 'text', client_id: 'text', stylist_id: 'text' },
  problem: 'text',
});
