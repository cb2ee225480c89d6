import { countChanges } from '../../bulk/edit/plan-counts.ts';
import { type PlannedChange, readPreview, readRefusals, toChanges } from '../../bulk/edit/plan-preview.ts';
import type { Plan } from '../../bulk/edit/plan-read.ts';
import { toValueText } from '../../bulk/sheet/value-text.ts';
import type { Call } from '../call.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Outcome, RecordPage } from '../output/outcome.ts';
import { columnSet } from '../print/columns.ts';
import { countOf, describeClears, describeCounts } from './describe-plan.ts';

/** Rows that are shown of a plan before somebody is asked. */
const mostShown = 10;

const changeColumns = columnSet({
  line: 'integer',
  act: 'text',
  id: 'text',
  field: 'text',
  old: 'text',
  new: 'text',
});

/** Says what a plan comes to, with a few of its changes, on standard error. */
export async function tellPlan(plan: Plan, { talk }: Call): Promise<void> {
  const { counts, head } = plan;
  talk.say(describeCounts(counts, head.edit));
  const clears = describeClears(counts);
  if (clears !== undefined) talk.warn(clears);
  for (const { line, reason } of await readRefusals(plan, { most: mostShown })) {
    talk.warn(`line ${line}: ${reason}`);
  }
  if (counts.refused > mostShown)
    talk.warn(`${countOf(counts.refused - mostShown, 'more rows')} of that kind.`);
}

/** Shows the first changes, for somebody who is about to be asked. */
export async function tellFirstChanges(plan: Plan, { talk }: Call): Promise<void> {
  const changes = await readPreview(plan, { most: mostShown });
  for (const change of changes) talk.say(`  ${renderChange(change)}`);
  if (changes.length === mostShown) talk.say('  … all of them with --dry-run');
}

/** Every change of a plan as data; nothing is sent. */
export function showPlan(plan: Plan, { flags }: Call<{ readonly exitCode?: boolean }>): Outcome {
  const isPending = flags.exitCode === true && countChanges(plan.counts) > 0;
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
  let rows: PlannedChange[] = [];
  for await (const row of plan.rows()) {
    rows.push(...toChanges(row));
    if (rows.length < rowsPerPage) continue;
    yield { rows: rows as never };
    rows = [];
  }
  yield { rows: rows as never };
}

function renderChange({ line, act, id, field, old, new: next }: PlannedChange): string {
  if (act === 'delete') return `line ${line}  ${id}  ${toValueText(old)} would be removed`;
  const of = id === null ? 'new' : id;
  return `line ${line}  ${of}  ${field}: ${act === 'create' ? '' : `${show(old)} → `}${show(next)}`;
}

function show(value: unknown): string {
  return value === null ? '(nothing)' : `"${toValueText(value)}"`;
}
