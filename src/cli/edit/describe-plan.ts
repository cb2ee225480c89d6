import { toVerbName } from '../../bulk/input/edit-fields.ts';
import type { OutcomeCounts } from '../../bulk/jobs/journal.ts';
import type { Plan } from '../../bulk/plan/plan-file.ts';
import { countChanges, findUndoneJob, type PlanHead } from '../../bulk/plan/plan-format.ts';
import { countOf, renderCount } from '../../contract/numbers.ts';
import { toFieldWords } from '../output/field-words.ts';

type PlanFacts = Pick<Plan, 'counts' | 'head'>;

/** How many records conditions select, as a sentence without its end: `Mia has 3 appointments tomorrow`. */
export type SelectionText = (count: string) => string;

interface Words {
  /** `12 clients will be deleted` */
  readonly future: string;
  /** `Delete 12 clients?` */
  readonly order: string;
  /** `12 clients deleted` */
  readonly past: string;
  /** `Nothing to delete.` */
  readonly infinitive: string;
}

const wordsOf = {
  create: { future: 'will be added', order: 'Add', past: 'added', infinitive: 'add' },
  update: { future: 'will change', order: 'Change', past: 'changed', infinitive: 'change' },
  delete: { future: 'will be deleted', order: 'Delete', past: 'deleted', infinitive: 'delete' },
} as const satisfies Record<string, Words>;

const cancelling: Words = {
  future: 'will be cancelled',
  order: 'Cancel',
  past: 'cancelled',
  infinitive: 'cancel',
};

/** An undo deletes what was added, adds what was deleted, and restores the rest. */
const restoring: Words = {
  future: 'will be restored',
  order: 'Restore',
  past: 'restored',
  infinitive: 'restore',
};

function toWords(head: PlanHead): Words {
  const isUndo = findUndoneJob(head) !== undefined;
  if (toVerbName(head.edit) === 'cancel') return cancelling;
  return isUndo && head.edit.verb !== 'delete' ? restoring : wordsOf[head.edit.verb];
}

/**
 * `200 rows: 185 clients will change (phone 120, notes 80), 12 unchanged, 3 refused.`, or for conditions
 * `Mia has 3 appointments tomorrow. All 3 will be cancelled.`
 */
export function describeCounts({ counts, head }: PlanFacts, selected?: SelectionText): string {
  const { noun } = head.edit;
  const changes = countChanges(counts);
  const fields = Object.entries(counts.fields)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, times]) => `${toFieldWords(name)}${times === changes ? '' : ` ${renderCount(times)}`}`);
  const named = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
  const left = [
    ...(counts.none > 0 ? [`${renderCount(counts.none)} unchanged`] : []),
    ...(counts.refused > 0 ? [`${renderCount(counts.refused)} refused`] : []),
  ];
  const { isCondition = false, name } = head.source;
  const isUndo = findUndoneJob(head) !== undefined;
  if (!isCondition || isUndo) {
    const those = changes === 0 ? `no ${noun}` : countOf(changes, noun);
    const rows = isUndo && changes === counts.rows ? '' : `${countOf(counts.rows, 'rows')}: `;
    return `${rows}${[`${those} ${toWords(head).future}${named}`, ...left].join(', ')}.`;
  }
  const count = counts.rows === 0 ? `no ${noun}` : countOf(counts.rows, noun);
  const match = counts.rows === 1 ? 'matches' : 'match';
  const first =
    selected?.(count) ?? (name === '--all' ? `There are ${count}` : `${toSentence(count)} ${match} ${name}`);
  if (counts.rows === 0) return `${first}.`;
  if (changes === 0) return `${first}. Nothing will change: ${left.join(', ')}.`;
  const those = changes < counts.rows ? `${renderCount(changes)} of them` : toWhole(changes, noun);
  return `${first}. ${[`${those} ${toWords(head).future}${named}`, ...left].join(', ')}.`;
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
  const existing =
    counts.existing === undefined ? '' : `, ${renderCount(counts.existing)} of whom may exist already,`;
  return `${toWords(head).order} ${countOf(countChanges(counts), noun)}${existing}${clears}${cancels}`;
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
