import { toVerbName } from '../../bulk/input/edit-fields.ts';
import type { OutcomeCounts } from '../../bulk/jobs/journal-entries.ts';
import type { Plan } from '../../bulk/plan/plan-file.ts';
import { findUndoneJob, type PlanHead } from '../../bulk/plan/plan-format.ts';
import { countChanges } from '../../bulk/plan/planned-row.ts';
import { countOf, renderCount } from '../../contract/numbers.ts';
import { toFieldWords } from '../output/heading.ts';

type PlanFacts = Pick<Plan, 'counts' | 'head'>;

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

/** `200 rows: 185 clients will change (phone 120, notes 80), 12 unchanged, 3 refused.` */
export function describeCounts({ counts, head }: PlanFacts): string {
  const { noun } = head.edit;
  const changes = countChanges(counts);
  const fields = Object.entries(counts.fields)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, times]) => `${toFieldWords(name)} ${renderCount(times)}`);
  const named = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
  const parts = [`${changes === 0 ? `no ${noun}` : countOf(changes, noun)} ${toWords(head).future}${named}`];
  if (counts.none > 0) parts.push(`${renderCount(counts.none)} unchanged`);
  if (counts.refused > 0) parts.push(`${renderCount(counts.refused)} refused`);
  const { isCondition = false, name } = head.source;
  const match = counts.rows === 1 ? 'matches' : 'match';
  const selected =
    name === '--all' ? countOf(counts.rows, noun) : `${countOf(counts.rows, noun)} ${match} ${name}`;
  const isSelection = isCondition && findUndoneJob(head) === undefined;
  return `${isSelection ? selected : countOf(counts.rows, 'rows')}: ${parts.join(', ')}.`;
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
