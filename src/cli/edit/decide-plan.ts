import { resolve } from 'node:path';
import { emptyOutcomeCounts } from '../../bulk/jobs/journal-entries.ts';
import { assertBudgets } from '../../bulk/plan/plan-checks.ts';
import type { Plan } from '../../bulk/plan/plan-file.ts';
import { copyPlan, type PlanFolder } from '../../bulk/plan/plan-folder.ts';
import { countChanges } from '../../bulk/plan/planned-row.ts';
import type { SalonClient } from '../../client/client.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import { renderCost } from '../messages/request-cost.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { EditFlags } from './edit-options.ts';
import { toEditRecord } from './edit-result.ts';
import { describeAct, showPlan, tellFirstChanges, tellPlan } from './show-plan.ts';
import { startEdit } from './start-edit.ts';

export interface Deciding {
  readonly plan: Plan;
  /** Where the plan lies. */
  readonly draft: PlanFolder;
  readonly client: SalonClient;
  /** The job that it takes back. */
  readonly undoes: string | null;
  readonly context: CommandContext<EditFlags>;
}

/** What is done with a plan that was made: shown, kept, rehearsed, or consented to and carried out. */
export async function decidePlan({ plan, draft, client, undoes, context }: Deciding): Promise<CommandResult> {
  const { flags, messages, io } = context;
  const { counts, head } = plan;
  await tellPlan(plan, context);
  if (flags.dryRun === true) return showPlan(plan, context);
  const { maxChanges, maxClears } = flags;
  assertBudgets(counts, { maxChanges, maxClears, records: await countRecords(plan, client, context) });
  if (flags.planFile !== undefined) {
    await copyPlan(plan, resolve(io.cwd, flags.planFile));
    return {
      show: 'nothing',
      said: `Nothing was sent. Carry it out with: salon jobs apply ${flags.planFile}`,
    };
  }
  if (flags.simulate === true) {
    const { rehearsePlan } = await import('./simulate.ts');
    return rehearsePlan({ plan, draft, client, context });
  }
  const changes = countChanges(counts);
  if (changes === 0) {
    const exitCode = counts.refused > 0 ? exitCodes.partly.code : exitCodes.done.code;
    const record = toEditRecord(plan, { job: null, tally: emptyOutcomeCounts, reports: undefined });
    return { show: 'record', record, said: 'There is nothing to change.', exitCode };
  }
  await tellFirstChanges(plan, context);
  await tellCost(changes, client, context);
  await context.confirm(`${describeAct(counts, head.edit)} at ${await nameOfSalon(context)}?`);
  messages.verbose(`Job ${draft.id}`);
  return startEdit({ id: draft.id, plan, undoes }, context);
}

/** Records in the list, which a budget that is a share needs; null where nobody tells. */
async function countRecords(
  { head }: Plan,
  client: SalonClient,
  { flags }: CommandContext<EditFlags>,
): Promise<number | null> {
  const needsWhole = [flags.maxChanges, flags.maxClears].some((budget) => budget?.endsWith('%'));
  if (head.records !== null || !needsWhole) return head.records;
  for await (const { total } of client[head.edit.noun].list({}, { limit: 1 })) return total ?? null;
  return null;
}

/** What the plan costs of the hour, when it is more than a word. */
async function tellCost(
  changes: number,
  client: SalonClient,
  { messages, io, session }: CommandContext,
): Promise<void> {
  const { settings } = await session();
  const limit = client.limits();
  const cost = {
    records: changes,
    perPage: 1,
    limit,
    perHour: settings.ratePerHour?.value,
    nowMs: io.now().getTime(),
    timeZone: settings.timeZone.value,
  };
  const fits = limit?.remaining === undefined || limit.remaining >= changes;
  const tell = fits ? messages.verbose : messages.info;
  tell(renderCost(changes, cost));
  const waitMs = (limit?.resetAtMs ?? 0) - cost.nowMs;
  if (fits || waitMs <= settings.maxWaitMs.value) return;
  messages.info(
    `It stops when they are used up, and can be gone on with; --max-wait ${renderFlag(waitMs)} lets it wait.`,
  );
}

/** As the flag is written: whole minutes, one more than it takes. */
function renderFlag(waitMs: number): string {
  return `${Math.ceil(waitMs / 60_000) + 1}m`;
}

async function nameOfSalon({ session }: CommandContext): Promise<string> {
  const { profile, profileName, settings } = await session();
  return profile?.account?.name ?? profileName ?? settings.baseUrl?.value ?? 'this salon';
}
