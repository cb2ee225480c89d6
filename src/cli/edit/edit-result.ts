import type { ApplyEnd } from '../../bulk/apply/apply-plan.ts';
import type { Reports } from '../../bulk/apply/reports.ts';
import type { EditEnd } from '../../bulk/apply/run-edit.ts';
import type { Row } from '../../bulk/export/write-pages.ts';
import type { EditJob } from '../../bulk/jobs/job.ts';
import type { OutcomeCounts } from '../../bulk/jobs/journal-entries.ts';
import type { Plan } from '../../bulk/plan/plan-file.ts';
import { countChanges } from '../../bulk/plan/planned-row.ts';
import { type SalonError, withContext } from '../../contract/errors.ts';
import { countOf } from '../../contract/numbers.ts';
import type { Interrupt } from '../io.ts';
import { renderError, toSalonError } from '../messages/errors.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import { describeTally } from './show-plan.ts';

export interface Ended {
  readonly job: EditJob;
  readonly plan: Plan;
  readonly end: EditEnd;
}

/**
 * Says what became of an edit, and how to go on. A stop before anything was written is the error that it is; one
 * behind that is an edit that finished partly. An interruption always is one.
 */
export async function endEdit(ended: Ended, context: CommandContext): Promise<CommandResult> {
  const { end } = ended;
  const { tally, stop } = end;
  if (stop === undefined) return { ...summary(ended), exitCode: toEndCode(end, ended.plan) };
  const { io, flags } = context;
  const interrupt = io.signal.aborted ? (io.signal.reason as Interrupt) : undefined;
  const error = withCommand(toSalonError(stop, interrupt), ended, context);
  if (error.code === 'interrupted' || countSent(tally) === 0) throw error;
  const format = (await context.session()).settings.format?.value;
  const json = format === 'json' || format === 'ndjson';
  io.stderr.write(renderError(error, { json, debug: flags.debug === true }));
  return { ...summary(ended), exitCode: exitCodes.partly.code };
}

function summary({ job, plan, end: { tally, stop, reports } }: Ended): CommandResult {
  const { edit } = job.work;
  const record = toEditRecord(plan, { job: job.id, tally, reports });
  const lines = [`${describeTally(tally, edit)}.`];
  if (reports !== undefined) lines.push(`What became of every row: ${reports.results}`);
  if (reports?.failed !== undefined)
    lines.push(`The rows that failed, as a sheet to correct and run again: ${reports.failed}`);
  if (stop === undefined && countSent(tally) > 0) lines.push(`Take it back with: salon jobs undo ${job.id}`);
  return { show: 'record', record, said: lines.join('\n') };
}

/** 0 where every row became as planned; 7 where each of them was stale; else 3, or 1 where none got through. */
export function toEndCode({ tally }: Pick<ApplyEnd, 'tally'>, plan: Plan): number {
  const good = tally.done + tally.accepted + tally.unchanged;
  const bad = tally.stale + tally.failed + tally.doubtful + plan.counts.refused;
  if (bad === 0) return exitCodes.done.code;
  if (good > 0 || tally.doubtful > 0) return exitCodes.partly.code;
  return tally.stale > 0 && tally.stale === bad ? exitCodes.conflict.code : exitCodes.partly.code;
}

function withCommand(error: SalonError, { job, plan, end }: Ended, { flags }: CommandContext): SalonError {
  const address = flags.baseUrl === undefined ? '' : ` --base-url ${flags.baseUrl}`;
  const command = `salon jobs resume ${job.id}${address}`;
  const left = countLeft(plan, end.tally);
  const are = left === 1 ? 'is' : 'are';
  const facts = [error.hint, `${countOf(left, 'rows')} ${are} left. Go on with: ${command}`];
  // What an interruption ends has no report that could say so.
  if (error.code === 'interrupted' && countSent(end.tally) > 0) {
    facts.unshift(`${describeTally(end.tally, job.work.edit)}.`);
    facts.push(`Take back what was done with: salon jobs undo ${job.id}${address}`);
  }
  return withContext(error, {
    hint: facts.filter((fact) => fact !== undefined).join('\n  '),
    members: { ...error.members, job: job.id, left },
  });
}

function countSent({ done, accepted, doubtful }: OutcomeCounts): number {
  return done + accepted + doubtful;
}

export interface Edited {
  /** Null where there was nothing to send. */
  readonly job: string | null;
  readonly tally: OutcomeCounts;
  readonly reports: Reports | undefined;
}

/** What became of a plan, as programs read it. */
export function toEditRecord(plan: Plan, { job, tally, reports }: Edited): Row {
  const { counts, head } = plan;
  return {
    job,
    list: head.edit.noun,
    verb: head.edit.verb,
    rows: counts.rows,
    ...tally,
    so_already: counts.none,
    refused: counts.refused,
    left: countLeft(plan, tally),
    results: reports?.results ?? null,
    failed_rows: reports?.failed ?? null,
  };
}

/** Rows of which it is not known what became of them. */
export function countLeft({ counts }: Plan, tally: OutcomeCounts): number {
  const settled = Object.values(tally).reduce((sum, times) => sum + times, 0);
  return countChanges(counts) - settled;
}
