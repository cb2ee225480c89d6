import type { Edit } from '../../bulk/edit/edit.ts';
import type { EditCounts } from '../../bulk/edit/edit-entry.ts';
import type { PlanCounts } from '../../bulk/edit/planned-row.ts';
import { countOf, renderCount } from '../../contract/numbers.ts';

const wouldBe = { create: 'added', update: 'changed', delete: 'removed' } as const;

/** `200 rows: 185 clients would be changed (phone 120, notes 80), 12 need no change, 3 cannot be done.` */
export function describeCounts(counts: PlanCounts, { noun, verb }: Edit): string {
  const changes = counts.create + counts.update + counts.delete;
  const parts = [
    `${changes === 0 ? `no ${noun}` : countOf(changes, noun)} would be ${wouldBe[verb]}${describeFields(counts)}`,
  ];
  if (counts.none > 0)
    parts.push(`${renderCount(counts.none)} ${counts.none === 1 ? 'needs' : 'need'} no change`);
  if (counts.refused > 0) parts.push(`${renderCount(counts.refused)} cannot be done`);
  return `${countOf(counts.rows, 'rows')}: ${parts.join(', ')}.`;
}

/** What a plan empties, which a blank cell never does; undefined where that is nothing. */
export function describeClears({ clears, clearedRows }: PlanCounts): string | undefined {
  if (clears === 0) return undefined;
  return `${countOf(clears, 'fields')} would be emptied, in ${countOf(clearedRows, 'rows')}.`;
}

/** Which rows would undo what somebody else did since the export; undefined where there are none. */
export function describeOverwrites({ overwrites }: PlanCounts, lines: readonly number[]): string | undefined {
  if (lines.length === 0) return undefined;
  const named = [...lines, ...(overwrites > lines.length ? ['…'] : [])].join(', ');
  const were = overwrites === 1 ? 'was' : 'were';
  return `${countOf(overwrites, 'rows')} ${were} changed by somebody since the sheet was exported; what the sheet says would overwrite that: line ${named}`;
}

/** `Change 185 clients` as a question begins. */
export function describeAct(counts: PlanCounts, { noun, verb }: Edit): string {
  const act = { create: 'Add', update: 'Change', delete: 'Remove' }[verb];
  const changes = counts.create + counts.update + counts.delete;
  const clears = counts.clears === 0 ? '' : `, emptying ${countOf(counts.clears, 'fields')}`;
  return `${act} ${countOf(changes, noun)}${clears}`;
}

/** `180 clients changed, 2 needed no change, 1 failed` */
export function describeTally(tally: EditCounts, { noun, verb }: Edit): string {
  const done = { create: 'added', update: 'changed', delete: 'removed' }[verb];
  const parts = [`${countOf(tally.done + tally.accepted, noun)} ${done}`];
  if (tally.unchanged > 0) parts.push(`${renderCount(tally.unchanged)} needed no change`);
  if (tally.stale > 0)
    parts.push(`${renderCount(tally.stale)} left alone because somebody else changed them`);
  if (tally.failed > 0) parts.push(`${renderCount(tally.failed)} failed`);
  if (tally.doubtful > 0) parts.push(`${renderCount(tally.doubtful)} in doubt: they may be ${done} or not`);
  return parts.join(', ');
}

function describeFields({ fields }: PlanCounts): string {
  const names = Object.entries(fields).toSorted(([, one], [, other]) => other - one);
  if (names.length === 0) return '';
  return ` (${names.map(([name, times]) => `${name} ${renderCount(times)}`).join(', ')})`;
}
