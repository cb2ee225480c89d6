import type { Reports } from '../../bulk/apply/results.ts';
import { countSettled } from '../../bulk/apply/run-edit.ts';
import type { AppliedEdit, ResumeOptions } from '../../bulk/bulk-edits.ts';
import { type EditOperation, toVerbName } from '../../bulk/input/edit-fields.ts';
import type { OutcomeCounts } from '../../bulk/jobs/journal.ts';
import type { Plan } from '../../bulk/plan/plan-file.ts';
import { countChanges, findUndoneJob, type PlanHead } from '../../bulk/plan/plan-format.ts';
import type { Fields } from '../../client/json-object.ts';
import { type SalonError, withContext } from '../../contract/errors.ts';
import { countOf, renderCount } from '../../text/numbers.ts';
import { toSentence } from '../../text/quote.ts';
import type { BudgetFlags } from '../flags/edit-flags.ts';
import type { Interrupt } from '../io.ts';
import { renderError, toSalonError } from '../messages/errors.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import { type Progress, startProgress } from '../messages/status-line.ts';
import type { CommandResult } from '../output/command-result.ts';
import { toFieldWords } from '../output/field-words.ts';
import { nameOfClient } from '../people/names.ts';
import type { CommandContext } from '../session/command-context.ts';

/** Runs a job with progress on standard error. */
export async function runWithProgress<Result>(
  run: (options: ResumeOptions) => Promise<Result>,
  { io, status, messages, flags }: CommandContext<BudgetFlags>,
): Promise<Result> {
  let progress: Progress | undefined;
  return run({
    maxErrors: flags.maxErrors,
    onStart({ plan, tally, isJournalDamaged }) {
      if (isJournalDamaged)
        messages.warn('The journal of the job is damaged; the rows it concerns are checked again.');
      const { noun } = plan.head.edit;
      const doneBefore = countSettled(tally);
      progress = startProgress(io, {
        noun,
        status,
        writeLine: messages.verbose,
        doneBefore,
        action: 'Sending',
      });
    },
    onProgress: (settled, changes) => progress?.update(settled, changes),
  }).finally(() => progress?.stop());
}

/**
 * Reports a run. A stop before anything was written is an error, a later one a partial result; an interruption is
 * always an error.
 */
export async function reportEdit(applied: AppliedEdit, context: CommandContext): Promise<CommandResult> {
  const { stop } = applied;
  if (stop === undefined) return { ...summarize(applied), exitCode: toEditExitCode(applied) };
  const { io, flags } = context;
  const interrupt = io.signal.aborted ? (io.signal.reason as Interrupt) : undefined;
  const error = withNextSteps(toSalonError(stop, interrupt), applied, context);
  if (error.code === 'interrupted' || !hasChanges(applied)) throw error;
  const format = (await context.session()).settings.format?.value;
  const json = format === 'json' || format === 'ndjson';
  io.stderr.write(renderError(error, { json, debug: flags.debug === true }));
  return { ...summarize(applied), exitCode: exitCodes.partly.code };
}

function summarize({ id, plan, tally, stop, reports }: AppliedEdit): CommandResult {
  const lines = [`${describeOutcomes(tally, plan.head)}.`];
  const saved = [...(reports?.saved ?? [])].map(
    ([field, rows]) => `${toFieldWords(field)} ${renderCount(rows)}`,
  );
  if (saved.length > 0) lines.push(`Saved in failed rows: ${saved.join(', ')}.`);
  if (reports !== undefined) lines.push(`Results: ${reports.results}`);
  if (reports?.failed !== undefined) lines.push(`Failed rows (fix and re-run): ${reports.failed}`);
  const { fields } = plan.counts;
  const isMoved = plan.head.edit.noun === 'appointments' && (fields['start_time'] || fields['stylist_id']);
  if ((isMoved || toVerbName(plan.head.edit) === 'cancel') && tally.done > 0)
    lines.push(`To call them: salon call-list --job ${id}`);
  if (stop === undefined && hasChanges({ tally, reports })) lines.push(`Undo with: salon jobs undo ${id}`);
  return {
    show: 'record',
    record: toEditRecord({ job: id, plan, tally, reports }),
    message: lines.join('\n'),
  };
}

/** The result of a bulk edit for programs. */
export function toEditRecord({
  plan,
  tally,
  job,
  reports,
}: Pick<AppliedEdit, 'plan' | 'tally'> & { job?: string; reports?: Reports | undefined }): Fields {
  const { counts, head } = plan;
  return {
    job: job ?? null,
    list: head.edit.noun,
    verb: toVerbName(head.edit),
    rows: counts.rows,
    ...tally,
    so_already: counts.none,
    refused: counts.refused,
    left: countLeft(plan, tally),
    results: reports?.results ?? null,
    failed_rows: reports?.failed ?? null,
  };
}

/** Number of rows without an outcome. */
function countLeft({ counts }: Plan, tally: OutcomeCounts): number {
  return countChanges(counts) - countSettled(tally);
}

/** 0 if every row turned out as planned, 7 if all were stale, else 3. */
export function toEditExitCode({ tally, plan }: Pick<AppliedEdit, 'tally' | 'plan'>): number {
  const good = tally.done + tally.accepted + tally.unchanged;
  const bad = tally.stale + tally.failed + tally.doubtful + plan.counts.refused;
  if (bad === 0) return exitCodes.done.code;
  if (good > 0 || tally.doubtful > 0) return exitCodes.partly.code;
  return tally.stale > 0 && tally.stale === bad ? exitCodes.conflict.code : exitCodes.partly.code;
}

function withNextSteps(error: SalonError, applied: AppliedEdit, { flags }: CommandContext): SalonError {
  const { id, plan, tally } = applied;
  const address = flags.baseUrl === undefined ? '' : ` --base-url ${flags.baseUrl}`;
  const left = countLeft(plan, tally);
  if (error.code === 'not_supported' && toVerbName(plan.head.edit) === 'cancel')
    return withContext(error, { hint: `Try: ${renderStatusUpdate(plan.head.source.name)}` });
  const are = left === 1 ? 'is' : 'are';
  const facts = [
    error.hint,
    `${countOf(left, 'rows')} ${are} left. Resume with: salon jobs resume ${id}${address}`,
  ];
  // An interruption has no report with these.
  if (error.code === 'interrupted' && hasChanges(applied)) {
    facts.unshift(`${describeOutcomes(tally, plan.head)}.`);
    facts.push(`Undo with: salon jobs undo ${id}${address}`);
  }
  return withContext(error, {
    hint: facts.filter((fact) => fact !== undefined).join('\n  '),
    members: { ...error.members, job: id, left },
  });
}

/** The command for servers that cannot cancel. */
export function renderStatusUpdate(selection: string): string {
  return `salon appointments update ${selection} --status cancelled`;
}

function hasChanges({ tally, reports }: Pick<AppliedEdit, 'tally' | 'reports'>): boolean {
  return tally.done + tally.accepted + tally.doubtful > 0 || reports?.isUndoable === true;
}

type PlanFacts = Pick<Plan, 'counts' | 'head'>;

/** How many records are selected, as a sentence without its end: `Mia has 3 appointments tomorrow`. */
export type SelectionText = (count: string) => string;

/** The verb of a plan: `delete`, `12 clients deleted`. An undo deletes what was added, and restores the rest. */
function toWords(head: PlanHead): { readonly infinitive: string; readonly past: string } {
  const { edit } = head;
  if (toVerbName(edit) === 'cancel') return { infinitive: 'cancel', past: 'cancelled' };
  if (edit.verb === 'delete') return { infinitive: 'delete', past: 'deleted' };
  if (edit.verb === 'import')
    return findUndoneJob(head) === undefined
      ? { infinitive: 'import', past: 'imported' }
      : { infinitive: 'undo', past: 'undone' };
  if (findUndoneJob(head) !== undefined) return { infinitive: 'restore', past: 'restored' };
  if (edit.verb === 'update') return { infinitive: 'change', past: 'changed' };
  const isBooking = edit.noun === 'appointments';
  return isBooking ? { infinitive: 'book', past: 'booked' } : { infinitive: 'add', past: 'added' };
}

/**
 * `200 rows: 185 clients will change (phone 120, notes 80), 12 unchanged, 3 refused.`, or for a selection
 * `Mia has 3 appointments tomorrow. All 3 will be cancelled.`
 */
export function describeCounts({ counts, head }: PlanFacts, selected?: SelectionText): string {
  const { noun } = head.edit;
  const { infinitive, past } = toWords(head);
  const future = infinitive === 'change' ? 'will change' : `will be ${past}`;
  const changes = countChanges(counts);
  const fields = Object.entries(counts.fields)
    .toSorted(([, one], [, other]) => other - one)
    .map(
      ([name, times]) =>
        `${toFieldWords(name)}${times === (head.edit.verb === 'import' ? counts.update : changes) ? '' : ` ${renderCount(times)}`}`,
    );
  const named = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
  const { none, skipped = 0, repeated = 0, unsure = 0 } = counts;
  const isImport = head.edit.verb === 'import';
  const refused = counts.refused - unsure;
  const repeats = Math.min(skipped, repeated);
  const isUndo = findUndoneJob(head) !== undefined;
  const left = [
    ...(none > skipped ? [`${renderCount(none - skipped)} ${isImport ? 'the same' : 'unchanged'}`] : []),
    ...(skipped > repeats ? [`${renderCount(skipped - repeats)} left out, because they exist already`] : []),
    ...(repeats > 0
      ? [
          `${renderCount(repeats)} left out, because an earlier row has them${isImport ? ' (import again to complete these)' : ''}`,
        ]
      : []),
    ...(unsure > 0 ? [`${renderCount(unsure)} left out, not certain (see --yes-likely)`] : []),
    ...(refused > 0 ? [`${renderCount(refused)} ${isUndo ? 'not undone' : 'refused'}`] : []),
  ];
  if (isImport) {
    const rows = `${countOf(counts.rows, 'rows')}: `;
    return `${rows}${[...describeActs({ counts, head }, named), ...left].join(', ') || 'nothing to do'}.`;
  }
  const { isCondition = false, name } = head.source;
  if (!isCondition || isUndo || head.edit.verb === 'create') {
    const those = changes === 0 ? `no ${noun}` : countOf(changes, noun);
    const rows = isUndo && changes === counts.rows ? '' : `${countOf(counts.rows, 'rows')}: `;
    return `${rows}${[`${those} ${future}${named}`, ...left].join(', ')}.`;
  }
  const count = counts.rows === 0 ? `no ${noun}` : countOf(counts.rows, noun);
  const match = counts.rows === 1 ? 'matches' : 'match';
  const first =
    selected?.(count) ?? (name === '--all' ? `There are ${count}` : `${toSentence(count)} ${match} ${name}`);
  if (counts.rows === 0) return `${first}.`;
  if (changes === 0) return `${first}. Nothing will change: ${left.join(', ')}.`;
  const one = noun === 'clients' ? 'This client' : 'It';
  const all = changes === 1 ? one : changes === 2 ? 'Both' : `All ${renderCount(changes)}`;
  const those = changes < counts.rows ? `${renderCount(changes)} of them` : all;
  return `${first}. ${[`${those} ${future}${named}`, ...left].join(', ')}.`;
}

/** `12 clients new`, `3 completed (phone 2, notes)`: what an import does, or its undo. */
function describeActs({ counts, head }: PlanFacts, fields = ''): readonly string[] {
  const { noun, overwrites = false } = head.edit;
  const isUndo = findUndoneJob(head) !== undefined;
  const removed = noun === 'appointments' ? 'cancelled' : 'deleted';
  const changed = isUndo ? 'restored' : overwrites ? 'changed' : 'completed';
  const acts = [
    [counts.create, isUndo ? 'added again' : 'new', ''],
    [counts.delete, removed, ''],
    [counts.update, changed, fields],
  ] as const;
  const done = acts.filter(([count]) => count > 0);
  return done.map(
    ([count, word, more], at) => `${at === 0 ? countOf(count, noun) : renderCount(count)} ${word}${more}`,
  );
}

/** `Change 185 clients, clearing 3 fields`, the start of a question. */
export function describePlannedAction({ counts, head }: PlanFacts): string {
  const { noun, verb, force } = head.edit;
  if (verb === 'import')
    return `${toSentence(toWords(head).infinitive)} (${describeActs({ counts, head }).join(', ')})`;
  const clears = counts.clears === 0 ? '' : `, clearing ${countOf(counts.clears, 'fields')}`;
  const cancels = verb === 'delete' && force ? ' and cancel their upcoming appointments' : '';
  const existing = counts.existing ? `, ${renderCount(counts.existing)} of whom may exist already,` : '';
  return `${toSentence(toWords(head).infinitive)} ${countOf(countChanges(counts), noun)}${existing}${clears}${cancels}`;
}

/** `line 2, 5, 9, 12, 13, …` */
export function renderLines(lines: readonly number[], count = lines.length): string {
  return `line ${[...lines.slice(0, 5), ...(count > 5 ? ['…'] : [])].join(', ')}`;
}

/** What an undo cannot bring back. */
export function describeRestored({ edit }: PlanHead): string {
  return edit.noun === 'clients'
    ? 'Deleted records come back with new IDs.'
    : 'Cancellations are final: an undo books the appointments again, with new IDs, where the time is still free.';
}

/** What the undo of an edit cannot bring back, such as appointments that went with their client. */
export async function describeLosses({ counts, head, rows }: Plan, undone: EditOperation) {
  const lost: string[] = [];
  for await (const { upcoming, change = {} } of rows())
    if (upcoming && lost.push(`${nameOfClient(change)} ${upcoming}`) > 5) break;
  if (lost.length > 5) lost[5] = '…';
  const which = lost.length === 0 ? '' : ` (${lost.join(', ')})`;
  const sentence = `Upcoming appointments${which} that were cancelled or deleted with them do not come back.`;
  return counts.create === 0 ? [] : [describeRestored(head), ...(undone.force ? [sentence] : [])];
}

/** `Nothing to delete.` */
export function describeEmptyPlan(head: PlanHead): string {
  return `Nothing to ${toWords(head).infinitive}.`;
}

/** `180 clients changed, 2 unchanged, 1 failed` */
export function describeOutcomes(tally: OutcomeCounts, head: PlanHead): string {
  const { past } = toWords(head);
  const parts = [`${countOf(tally.done + tally.accepted, head.edit.noun)} ${past}`];
  if (tally.unchanged > 0) parts.push(`${renderCount(tally.unchanged)} unchanged`);
  if (tally.stale > 0) parts.push(`${renderCount(tally.stale)} skipped because they have changed since`);
  if (tally.failed > 0) parts.push(`${renderCount(tally.failed)} failed`);
  if (tally.doubtful > 0) parts.push(`${renderCount(tally.doubtful)} unknown (may have been ${past})`);
  return parts.join(', ');
}
