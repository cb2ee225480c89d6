import { resolve } from 'node:path';
import type { AppliedEdit } from '../../bulk/bulk-edits.ts';
import { addsRecords, toVerbName } from '../../bulk/input/edit-fields.ts';
import { emptyOutcomeCounts } from '../../bulk/jobs/journal.ts';
import { toFingerprint } from '../../bulk/plan/check-plan.ts';
import type { Plan } from '../../bulk/plan/plan-file.ts';
import {
  countChanges,
  describeExisting,
  findUndoneJob,
  type PlanHead,
  type PlannedRow,
} from '../../bulk/plan/plan-format.ts';
import { toChanges } from '../../bulk/plan/plan-preview.ts';
import type { Fields } from '../../client/json-object.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../text/numbers.ts';
import type { PrintFlags } from '../flags/options.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import { renderCost } from '../messages/request-cost.ts';
import { nouns } from '../nouns/nouns.ts';
import { columnSet } from '../output/columns.ts';
import type { CommandResult, RecordPage } from '../output/command-result.ts';
import { readLayout } from '../output/format.ts';
import { openNumbers } from '../people/named-rows.ts';
import type { CommandContext } from '../session/command-context.ts';
import { assertWritable, uncheckedRules } from '../session/confirmation.ts';
import {
  describeEmptyPlan,
  describePlannedAction,
  describeRestored,
  reportEdit,
  runWithProgress,
  type SelectionText,
  toEditRecord,
} from './edit-result.ts';
import { readRowNames, showFailed, showFirstChanges, showSummary } from './show-plan.ts';
import type { PlanReview } from './simulate.ts';

/** Shows a plan; then saves it, simulates it, or asks and applies it. */
export async function reviewPlan(
  { edits, planned, context }: PlanReview,
  selected?: SelectionText,
): Promise<CommandResult> {
  const { flags, messages, io } = context;
  const { maxChanges, maxClears } = flags;
  const plan = flags.dryRun === true ? await checkPlan({ edits, planned, context }) : planned.plan;
  const shown = await showSummary(plan, context, selected);
  const added = flags.again === true ? undefined : await edits.findAdded(planned);
  const undone = await warnOfUndone(plan, context);
  if (flags.dryRun === true) {
    if (added !== undefined) messages.warn(`${added.message} ${added.hint}`);
    if (addsRecords(plan.head.edit.verb) && findUndoneJob(plan.head) === undefined)
      await showFirstChanges(plan, shown, context);
    await confirmStarts(planned.plan, context);
    return listChanges(plan, context);
  }
  if (plan.head.edit.onConflict === 'refuse' && plan.counts.refused > 0) {
    const message = `${countOf(plan.counts.refused, 'appointments')} cannot be moved. Nothing was changed.`;
    const hint = 'To move the others: --on-conflict skip';
    throw new SalonError('appointment_conflict', message, { hint });
  }
  await edits.checkBudgets(planned, { maxChanges, maxClears });
  if (flags.planFile !== undefined) {
    await edits.savePlan(planned, resolve(io.cwd, flags.planFile));
    const fingerprint = toFingerprint(plan);
    const lines = [
      `Plan saved, fingerprint ${fingerprint}. Nothing was sent.`,
      `Apply it with: salon jobs apply ${flags.planFile} --expect ${fingerprint}`,
    ];
    return { show: 'nothing', message: lines.join('\n') };
  }
  if (flags.simulate === true) {
    const { simulatePlan } = await import('./simulate.ts');
    return simulatePlan({ edits, planned, context });
  }
  const changes = countChanges(plan.counts);
  if (changes === 0) {
    const exitCode = plan.counts.refused > 0 ? exitCodes.partly.code : exitCodes.done.code;
    const record = toEditRecord({ plan, tally: emptyOutcomeCounts });
    return { show: 'record', record, message: describeEmptyPlan(plan.head), exitCode };
  }
  if (added !== undefined) throw added;
  await showFirstChanges(plan, shown, context);
  if (toVerbName(plan.head.edit) === 'cancel') messages.info(describeRestored(plan.head));
  await showCost(changes, context);
  const { encoding, doubt } = plan.head.source.form;
  if (doubt !== undefined && !context.prompts.isInteractive)
    throw new SalonError('usage', `The encoding of ${plan.head.source.name} is only guessed.`, {
      hint: `Name it: --encoding ${encoding} or --encoding ${doubt.encoding}. --yes does not confirm a guess.`,
    });
  await confirmStarts(plan, context);
  const unusual = undone === 0 ? '' : `, ${undone} with a stylist who does not do the service,`;
  const { profile, profileName, settings } = await context.session();
  const salon = profile?.account?.name ?? profileName ?? settings.baseUrl?.value ?? 'this salon';
  await context.confirm(`${describePlannedAction(plan)}${unusual} at ${salon}?`);
  messages.verbose(`Job ${planned.id}`);
  const applied = await runWithProgress(
    (options) => edits.apply(planned, { ...options, again: flags.again }),
    context,
  );
  return reportApplied(applied, context);
}

/** Only appointments have a stylist, a service and times. */
function hasAppointments({ head }: Plan): boolean {
  return head.edit.noun === 'appointments';
}

async function warnOfUndone(plan: Plan, context: CommandContext): Promise<number> {
  if (!hasAppointments(plan)) return 0;
  const { warnOfUndoneServices } = await import('./booking-conflicts.ts');
  return warnOfUndoneServices(plan, context);
}

async function confirmStarts(plan: Plan, context: CommandContext): Promise<void> {
  if (!hasAppointments(plan)) return;
  const { confirmLocalStarts } = await import('./local-starts.ts');
  await confirmLocalStarts(plan, context);
}

/** Throws `conflict` for a plan whose local times were read in another time zone than now. */
export async function assertSameZone({ timeZone }: PlanHead, context: CommandContext): Promise<void> {
  const current = timeZone && (await context.timeZone());
  if (timeZone === current) return;
  const message = `The plan was made with times of ${timeZone}; now they are of ${current}.`;
  throw new SalonError('conflict', message, { hint: 'Make a new plan.' });
}

/** Reports a run, with the first rows that failed. */
export async function reportApplied(applied: AppliedEdit, context: CommandContext): Promise<CommandResult> {
  await showFailed(applied, context);
  return reportEdit(applied, context);
}

/** The plan with the rows refused that the server would refuse. Throws `read_only` on a read-only profile. */
async function checkPlan({ edits, planned, context }: PlanReview): Promise<Plan> {
  assertWritable(await context.session());
  if (countChanges(planned.plan.counts) === 0) return planned.plan;
  const checked = await edits.check(planned);
  if (checked === undefined) context.messages.info(uncheckedRules);
  return checked ?? planned.plan;
}

/** Shows the cost in requests if the limit does not cover it. */
async function showCost(changes: number, { client, messages, io, session }: CommandContext): Promise<void> {
  const { settings } = await session();
  const limit = (await client()).limits();
  const cost = {
    records: changes,
    perPage: 1,
    limit,
    perHour: settings.rate?.value,
    nowMs: io.now().getTime(),
    // Read only where the limit does not cover it.
    get timeZone() {
      return settings.timeZone.value;
    },
  };
  const isCovered = limit?.remaining === undefined || limit.remaining >= changes;
  const show = isCovered ? messages.verbose : messages.info;
  show(renderCost(changes, cost));
  const waitMs = (limit?.resetAtMs ?? 0) - cost.nowMs;
  if (isCovered || waitMs <= settings.maxWait.value) return;
  const minutes = Math.ceil(waitMs / 60_000) + 1;
  messages.info(`It will stop at the limit and can be resumed; --max-wait ${minutes}m waits instead.`);
}

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
async function listChanges(
  plan: Plan,
  context: CommandContext<PrintFlags & { readonly exitCode?: boolean }>,
): Promise<CommandResult> {
  const isPending = context.flags.exitCode === true && countChanges(plan.counts) + plan.counts.refused > 0;
  const { code: exitCode } = isPending
    ? exitCodes.pending
    : exitCodes[plan.counts.refused > 0 ? 'partly' : 'done'];
  // Names cost requests: they are read only for a table.
  const named = (await readLayout(context)) === 'table' ? context : undefined;
  return { show: 'records', noun: 'changes', columns: changeColumns, pages: readPages(), exitCode };

  async function* readPages(): AsyncGenerator<RecordPage> {
    let planned: PlannedRow[] = [];
    for await (const row of plan.rows()) {
      planned.push(row);
      if (planned.length < rowsPerPage) continue;
      yield { rows: await toPage(planned, plan, named) };
      planned = [];
    }
    yield { rows: await toPage(planned, plan, named) };
  }
}

const rowsPerPage = 200;

async function toPage(
  planned: readonly PlannedRow[],
  { head }: Plan,
  context: CommandContext | undefined,
): Promise<readonly Fields[]> {
  if (context === undefined || head.edit.noun === 'clients') return planned.flatMap(toRows);
  const records = planned.map(({ before, change }) => before ?? change ?? {});
  const names = await readRowNames(records, head.edit, context);
  const rows = planned.map(toRows);
  const fields = rows.flat().map(({ field }) => String(field));
  const render = await openNumbers(nouns.appointments.columns.all, fields, context);
  const show = (field: string, value: unknown) => names.valueOf(field, render(field, value));
  return planned.flatMap((row, index) =>
    (rows[index] ?? []).map((shown) => {
      const field = String(shown['field'] ?? '');
      const [old, next] = [shown['old'], shown['new']].map((value) => show(field, value));
      return { ...shown, name: names.who(row.before ?? row.change) ?? shown['name'], old, new: next };
    }),
  );
}

function toRows(row: PlannedRow): readonly Fields[] {
  const { line, act, id, refusal } = row;
  const reason = refusal?.reason ?? (row.existing === undefined ? null : describeExisting(row.existing));
  const changes = toChanges(row).map(({ person, ...change }) => ({ ...change, reason }));
  if (changes.length > 0 || reason === null) return changes;
  return [{ line, act, id, name: null, field: null, old: null, new: null, reason }];
}
