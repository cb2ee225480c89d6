import type { Row } from '../../bulk/export/write-pages.ts';
import type { EditOperation } from '../../bulk/input/edit-fields.ts';
import type { OutcomeCounts } from '../../bulk/jobs/journal-entries.ts';
import type { Plan } from '../../bulk/plan/plan-file.ts';
import {
  type PlannedChange,
  readOverwriting,
  readPreview,
  readRefusals,
  toChanges,
} from '../../bulk/plan/plan-preview.ts';
import { countChanges, isEmpty, type PlanCounts, type PlannedRow } from '../../bulk/plan/planned-row.ts';
import { toCellText } from '../../bulk/sheet/cell-text.ts';
import { toQuote } from '../../client/http/quote.ts';
import { countOf, renderCount } from '../../contract/numbers.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import { columnSet } from '../output/columns.ts';
import type { CommandResult, RecordPage } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';

/** Rows that are shown of a plan before somebody is asked. */
const mostShown = 10;
/** Characters that are shown of a value there. */
const mostCharacters = 60;

const changeColumns = columnSet({
  line: 'integer',
  act: 'text',
  id: 'text',
  name: 'text',
  field: 'text',
  old: 'text',
  new: 'text',
  reason: 'text',
});

/** Says what a plan comes to, with a few of its changes, on standard error. */
export async function tellPlan(plan: Plan, { messages }: CommandContext): Promise<void> {
  const { counts, head } = plan;
  messages.info(describeCounts(counts, head.edit));
  const clears = describeClears(counts);
  if (clears !== undefined) messages.warn(clears);
  const overwrites = describeOverwrites(counts, await readOverwriting(plan, { most: mostShown }));
  if (overwrites !== undefined) messages.warn(overwrites);
  for (const { line, reason } of await readRefusals(plan, { most: mostShown })) {
    messages.warn(`line ${line}: ${reason}`);
  }
  if (counts.refused > mostShown)
    messages.warn(`${countOf(counts.refused - mostShown, 'more rows')} of that kind.`);
}

/** Shows the first changes, a line for each row, for somebody who is about to be asked. */
export async function tellFirstChanges(plan: Plan, { messages }: CommandContext): Promise<void> {
  for (const changes of await readPreview(plan, { most: mostShown }))
    messages.info(`  ${renderRow(changes)}`);
  const more = countChanges(plan.counts) - mostShown;
  if (more > 0) messages.info(`  and ${countOf(more, 'more rows')}; --dry-run shows all of them.`);
}

/** Every change of a plan as data, and every row that cannot be done; nothing is sent. */
export function showPlan(
  plan: Plan,
  { flags }: CommandContext<{ readonly exitCode?: boolean }>,
): CommandResult {
  const isPending = flags.exitCode === true && countChanges(plan.counts) + plan.counts.refused > 0;
  return {
    show: 'records',
    noun: 'changes',
    columns: changeColumns,
    pages: readPages(plan),
    exitCode: isPending ? exitCodes.pending.code : exitCodes.done.code,
  };
}

const rowsPerPage = 200;

async function* readPages(plan: Plan): AsyncGenerator<RecordPage> {
  let rows: Row[] = [];
  for await (const row of plan.rows()) {
    rows.push(...toRows(row));
    if (rows.length < rowsPerPage) continue;
    yield { rows };
    rows = [];
  }
  yield { rows };
}

function toRows(row: PlannedRow): readonly Row[] {
  const { line, act, id, refusal } = row;
  if (act !== 'refused') return toChanges(row).map((change) => ({ ...change, reason: null }));
  const nothing = { name: null, field: null, old: null, new: null };
  return [{ line, act, id, ...nothing, reason: refusal?.reason ?? null }];
}

function renderRow(changes: readonly PlannedChange[]): string {
  const { line, act, id, name } = changes[0] ?? {};
  const who = name === null || name === undefined ? id : toQuote(name, mostCharacters);
  if (act === 'delete') return `line ${line}: ${who === id ? '' : `${who}, `}${id}`;
  const fields = changes.map(({ field, old, new: next }) =>
    act === 'create' ? `${field} ${show(next)}` : `${field} ${show(old)} → ${show(next)}`,
  );
  return `line ${line}: ${who ?? 'new'}: ${fields.join(', ')}`;
}

function show(value: unknown): string {
  return isEmpty(value) ? '(nothing)' : `"${toQuote(toCellText(value), mostCharacters)}"`;
}

const wouldBe = { create: 'added', update: 'changed', delete: 'removed' } as const;

/** `200 rows: 185 clients would be changed (phone 120, notes 80), 12 need no change, 3 cannot be done.` */
export function describeCounts(counts: PlanCounts, { noun, verb }: EditOperation): string {
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
export function describeAct(counts: PlanCounts, { noun, verb }: EditOperation): string {
  const act = { create: 'Add', update: 'Change', delete: 'Remove' }[verb];
  const changes = counts.create + counts.update + counts.delete;
  const clears = counts.clears === 0 ? '' : `, emptying ${countOf(counts.clears, 'fields')}`;
  return `${act} ${countOf(changes, noun)}${clears}`;
}

/** `180 clients changed, 2 needed no change, 1 failed` */
export function describeTally(tally: OutcomeCounts, { noun, verb }: EditOperation): string {
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
