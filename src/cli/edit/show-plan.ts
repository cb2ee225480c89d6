import type { PlannedRow } from '../../bulk/edit/planned-row.ts';
import { toValueText } from '../../bulk/input/value-text.ts';
import { countChanges, isEmpty } from '../../bulk/plan/plan-counts.ts';
import {
  type PlannedChange,
  readOverwriting,
  readPreview,
  readRefusals,
  toChanges,
} from '../../bulk/plan/plan-preview.ts';
import type { Plan } from '../../bulk/plan/plan-read.ts';
import { toQuote } from '../../client/http/quote.ts';
import { countOf } from '../../contract/count-text.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import { columnSet } from '../output/columns.ts';
import type { CommandResult, RecordPage } from '../output/command-result.ts';
import type { Row } from '../output/printer.ts';
import type { CommandContext } from '../session/command-context.ts';
import { describeClears, describeCounts, describeOverwrites } from './describe-plan.ts';

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
  return isEmpty(value) ? '(nothing)' : `"${toQuote(toValueText(value), mostCharacters)}"`;
}
