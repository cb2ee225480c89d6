import { resolve } from 'node:path';
import { toVerbName } from '../../bulk/input/edit-fields.ts';
import { emptyOutcomeCounts } from '../../bulk/jobs/journal-entries.ts';
import type { Plan } from '../../bulk/plan/plan-file.ts';
import { toFingerprint } from '../../bulk/plan/plan-fingerprint.ts';
import { countChanges } from '../../bulk/plan/planned-row.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import { renderCost } from '../messages/request-cost.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import { assertConfirmed, assertWritable } from '../session/confirmation.ts';
import { uncheckedRules } from '../session/dry-run.ts';
import {
  describeEmptyPlan,
  describePlannedAction,
  describeRestored,
  type SelectionText,
} from './describe-plan.ts';
import { reportEdit, runWithProgress, toEditRecord } from './edit-result.ts';
import { listChanges } from './list-changes.ts';
import { showFirstChanges, showSummary } from './show-plan.ts';
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
  if (flags.dryRun === true) return listChanges(plan, context);
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
  await showFirstChanges(plan, shown, context);
  if (toVerbName(plan.head.edit) === 'cancel') messages.info(describeRestored(plan.head));
  await showCost(changes, context);
  // --yes is for what the plan shows, not for what it may miss.
  const isAsked = plan.doubt !== undefined && flags.allowUnproven !== true && context.prompts.isInteractive;
  if (isAsked) await assertConfirmed(`${plan.doubt} Change only what was read?`, {}, context.prompts);
  await context.confirm(`${describePlannedAction(plan)} at ${await nameOfSalon(context)}?`);
  messages.verbose(`Job ${planned.id}`);
  const allowUnproven = isAsked || flags.allowUnproven;
  const applied = await runWithProgress(
    (options) => edits.apply(planned, { ...options, allowUnproven }),
    context,
  );
  return reportEdit(applied, context);
}

/** The plan with the rows refused that the server would refuse. Throws `confirmation_required` on a read-only profile. */
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
    perHour: settings.ratePerHour?.value,
    nowMs: io.now().getTime(),
    timeZone: settings.timeZone.value,
  };
  const isCovered = limit?.remaining === undefined || limit.remaining >= changes;
  const show = isCovered ? messages.verbose : messages.info;
  show(renderCost(changes, cost));
  const waitMs = (limit?.resetAtMs ?? 0) - cost.nowMs;
  if (isCovered || waitMs <= settings.maxWaitMs.value) return;
  const minutes = Math.ceil(waitMs / 60_000) + 1;
  messages.info(`It will stop at the limit and can be resumed; --max-wait ${minutes}m waits instead.`);
}

async function nameOfSalon({ session }: CommandContext): Promise<string> {
  const { profile, profileName, settings } = await session();
  return profile?.account?.name ?? profileName ?? settings.baseUrl?.value ?? 'this salon';
}
