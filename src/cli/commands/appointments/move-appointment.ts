import { type BookingTask, book } from '../../booking/book.ts';
import { toMoveWords } from '../../booking/continue-command.ts';
import type { Booking } from '../../booking/draft.ts';
import { renderWhen } from '../../booking/moment.ts';
import { type Move, readMove } from '../../booking/read-move.ts';
import { renderMove } from '../../booking/summary.ts';
import { type FieldValues, readFields, toDefinedFields } from '../../flags/fields.ts';
import type { ChangeFlags } from '../../flags/options.ts';
import type { ShortTimeStyle } from '../../messages/short-times.ts';
import { appointmentColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { changeRecord } from '../write-record.ts';

export interface MoveFlags extends ChangeFlags {
  readonly stylist?: string;
  readonly start?: string;
  readonly allowOverlap?: boolean;
  readonly yes?: boolean;
}

/** Moves an upcoming appointment of a client to another time or stylist; at a terminal asks for the rest. */
export async function moveAppointment(
  context: CommandContext<MoveFlags>,
  words: readonly string[],
): Promise<CommandResult> {
  const { flags, io, session, prompts } = context;
  const { stylist, start, allowOverlap } = flags;
  const fields = { ...toDefinedFields({ allow_overlap: allowOverlap }), ...(await readFields(flags, io)) };
  const { timeZone } = (await session()).settings;
  const style = { timeZone: timeZone.value, now: io.now() };
  const toTask = (move: Move): BookingTask => ({
    draft: move.draft,
    verb: 'Move',
    changes: ['time', 'day', 'stylist'],
    isAlwaysConfirmed: true,
    render: (after) => renderMove(move.before, after, style),
    toCommand: (draft) => toMoveWords(move.before.id, draft, style.timeZone),
    async check(after) {
      const change = toChange(move.before, after);
      if (Object.keys(change).length === 0) return;
      const dryRun = await (await context.client()).dryRun();
      await dryRun?.appointments.update(move.before.id, change);
    },
    submit: (after) => submitMove(move, after, { context, style }),
  });
  return prompts.inTurn(
    () => readMove({ words, stylist, start, fields }, context),
    (move) => book(toTask(move), context),
  );
}

async function submitMove(
  { appointment, before }: Move,
  after: Booking,
  { context, style }: { readonly context: CommandContext<MoveFlags>; readonly style: ShortTimeStyle },
): Promise<CommandResult> {
  const change = toChange(before, after);
  const who = before.client?.name;
  if (Object.keys(change).length === 0) {
    const message = `${who} is booked for that time already. Nothing was changed.`;
    return { show: 'record', record: { ...appointment }, columns: appointmentColumns, message };
  }
  const stylist = change['stylist_id'] === undefined ? '' : ` with ${after.stylist.name}`;
  const when = renderWhen(after.start, after.durationMinutes, style);
  const describe = () => `${who} to ${when}${stylist} (${before.id})`;
  return changeRecord(context, { noun: 'appointments', id: before.id, change, done: 'Moved', describe });
}

/** The fields that change. */
function toChange(before: Booking, after: Booking): FieldValues {
  const isTimeKept = Date.parse(after.start) === Date.parse(before.start);
  return {
    ...(isTimeKept ? {} : { start_time: after.start }),
    ...(after.stylist.id === before.stylist.id ? {} : { stylist_id: after.stylist.id }),
    ...after.fields,
  };
}
