import type { Row } from '../../bulk/export/write-pages.ts';
import type { Plan } from '../../bulk/plan/plan-file.ts';
import { toChanges } from '../../bulk/plan/plan-preview.ts';
import { countChanges, type PlannedRow } from '../../bulk/plan/planned-row.ts';
import type { PrintFlags } from '../flags/options.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import { columnSet } from '../output/columns.ts';
import type { CommandResult, RecordPage } from '../output/command-result.ts';
import { readLayout } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import { readRowNames } from './row-names.ts';
import { describeExisting } from './show-plan.ts';

const changeColumns = columnSet({
  line: 'integer',
  act: 'text',
  id: 'text',
  name: 'text',
  field: 'text',
  old: 'value',
  new: 'value',
  reason: 'text',
});

/** Every change and every refused row as data; nothing is sent. A table names people instead of showing their IDs. */
export async function listChanges(
  plan: Plan,
  context: CommandContext<PrintFlags & { readonly exitCode?: boolean }>,
): Promise<CommandResult> {
  const isPending = context.flags.exitCode === true && countChanges(plan.counts) + plan.counts.refused > 0;
  const wouldBePartial = plan.counts.refused > 0;
  const isTable = (await readLayout(context)) === 'table';
  return {
    show: 'records',
    noun: 'changes',
    columns: changeColumns,
    pages: readPages(plan, isTable ? context : undefined),
    exitCode: isPending
      ? exitCodes.pending.code
      : wouldBePartial
        ? exitCodes.partly.code
        : exitCodes.done.code,
  };
}

const rowsPerPage = 200;

/** Names cost requests: they are read only with a context. */
async function* readPages(plan: Plan, context: CommandContext | undefined): AsyncGenerator<RecordPage> {
  let planned: PlannedRow[] = [];
  for await (const row of plan.rows()) {
    planned.push(row);
    if (planned.length < rowsPerPage) continue;
    yield { rows: await toPage(planned, plan, context) };
    planned = [];
  }
  yield { rows: await toPage(planned, plan, context) };
}

async function toPage(
  planned: readonly PlannedRow[],
  { head }: Plan,
  context: CommandContext | undefined,
): Promise<readonly Row[]> {
  if (context === undefined || head.edit.noun === 'clients') return planned.flatMap(toRows);
  const records = planned.map(({ before, change }) => before ?? change ?? {});
  const names = await readRowNames(records, head.edit, context);
  return planned.flatMap((row) =>
    toRows(row).map((shown) => {
      const field = String(shown['field'] ?? '');
      const [old, next] = [shown['old'], shown['new']].map((value) => names.valueOf(field, value));
      return { ...shown, name: names.who(row.before ?? row.change) ?? shown['name'], old, new: next };
    }),
  );
}

function toRows(row: PlannedRow): readonly Row[] {
  const { line, act, id, refusal } = row;
  const known = row.existing === undefined ? null : describeExisting(row.existing);
  if (act !== 'refused') return toChanges(row).map(({ person, ...change }) => ({ ...change, reason: known }));
  const nothing = { name: null, field: null, old: null, new: null };
  return [{ line, act, id, ...nothing, reason: refusal?.reason ?? null }];
}
