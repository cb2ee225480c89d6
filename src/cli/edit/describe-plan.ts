import { toVerbName } from '../../bulk/input/edit-fields.ts';
import type { OutcomeCounts } from '../../bulk/jobs/journal.ts';
import type { Plan } from '../../bulk/plan/plan-file.ts';
import { countChanges, findUndoneJob, type PlanHead } from '../../bulk/plan/plan-format.ts';
import { countOf, renderCount } from '../../contract/numbers.ts';
import { toFieldWords } from '../output/field-words.ts';

type PlanFacts = Pick<Plan, 'counts' | 'head'>;

/** How many records conditions select, as a sentence without its end: `Mia has 3 appointments tomorrow`. */
export type SelectionText = (count: string) => string;

/** The verb of a plan: `delete`, `12 clients deleted`. An undo deletes what was added, and restores the rest. */
function toWords(head: PlanHead): { readonly infinitive: string; readonly past: string } {
  const { edit } = head;
  if (toVerbName(edit) === 'cancel') return { infinitive: 'cancel', past: 'cancelled' };
  if (edit.verb === 'delete') return { infinitive: 'delete', past: 'deleted' };
  if (findUndoneJob(head) !== undefined) return { infinitive: 'restore', past: 'restored' };
  return edit.verb === 'create'
    ? { infinitive: 'add', past: 'added' }
    : { infinitive: 'change', past: 'changed' };
}

/**
 * `200 rows: 185 clients will change (phone 120, notes 80), 12 unchanged, 3 refused.`, or for conditions
 * `Mia has 3 appointments tomorrow. All 3 will be cancelled.`
 */
export function describeCounts({ counts, head }: PlanFacts, selected?: SelectionText): string {
  const { noun } = head.edit;
  const { infinitive, past } = toWords(head);
  const future = infinitive === 'change' ? 'will change' : `will be ${past}`;
  const changes = countChanges(counts);
  const fields = Object.entries(counts.fields)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, times]) => `${toFieldWords(name)}${times === changes ? '' : ` ${renderCount(times)}`}`);
  const named = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
  const { none, skipped = 0, refused } = counts;
  const left = [
    ...(none > skipped ? [`${renderCount(none - skipped)} unchanged`] : []),
    ...(skipped > 0 ? [`${renderCount(skipped)} left out, because they exist already`] : []),
    ...(refused > 0 ? [`${renderCount(refused)} refused`] : []),
  ];
  const { isCondition = false, name } = head.source;
  const isUndo = findUndoneJob(head) !== undefined;
  if (!isCondition || isUndo) {
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
  const those = changes < counts.rows ? `${renderCount(changes)} of them` : toWhole(changes, noun);
  return `${first}. ${[`${those} ${future}${named}`, ...left].join(', ')}.`;
}

function toWhole(count: number, noun: string): string {
  if (count === 1) return noun === 'clients' ? 'This client' : 'It';
  return count === 2 ? 'Both' : `All ${renderCount(count)}`;
}

function toSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** `Change 185 clients, clearing 3 fields`, the start of a question. */
export function describePlannedAction({ counts, head }: PlanFacts): string {
  const { noun, verb, force } = head.edit;
  const clears = counts.clears === 0 ? '' : `, clearing ${countOf(counts.clears, 'fields')}`;
  const cancels = verb === 'delete' && force ? ' and cancel their upcoming appointments' : '';
  const existing = counts.existing ? `, ${renderCount(counts.existing)} of whom may exist already,` : '';
  return `${toSentence(toWords(head).infinitive)} ${countOf(countChanges(counts), noun)}${existing}${clears}${cancels}`;
}

/** What an undo cannot bring back. */
export function describeRestored({ edit }: PlanHead): string {
  return edit.noun === 'clients'
    ? 'Deleted records come back with new IDs.'
    : 'Cancellations are final: an undo books the appointments again, with new IDs, where the time is still free.';
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
