import { basename, resolve } from 'node:path';
import {
  type BulkEdits,
  createBulkEdits,
  type PlannedEdit,
  type SelectedEdit,
} from '../../bulk/bulk-edits.ts';
import type { EditOperation } from '../../bulk/input/edit-fields.ts';
import type { EditJob } from '../../bulk/jobs/job.ts';
import { readJobStatus } from '../../bulk/jobs/job-folder.ts';
import { assertBudgets, toFingerprint } from '../../bulk/plan/check-plan.ts';
import { openJobPlan, type Plan, readEditJob, readStepJob } from '../../bulk/plan/plan-file.ts';
import { createPlanCounter, type PlannedRow } from '../../bulk/plan/plan-format.ts';
import type { SelectedRecords } from '../../bulk/plan/plan-records.ts';
import type { Fields } from '../../client/json-object.ts';
import { readClientVisits } from '../../client/selection/client-visits.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../text/numbers.ts';
import { quote } from '../../text/quote.ts';
import { findServices } from '../availability/salon-facts.ts';
import type { BudgetFlags, EditFlags, UndoFlags } from '../flags/edit-flags.ts';
import { readStdin } from '../flags/fields.ts';
import { parseAgo } from '../flags/moments.ts';
import { jobsFolder } from '../folders.ts';
import { toSalonError } from '../messages/errors.ts';
import { type Progress, startProgress } from '../messages/status-line.ts';
import type { CommandResult, RecordPage } from '../output/command-result.ts';
import { type ClientNames, openQuietNames } from '../people/client-names.ts';
import { readAccountIdentity, readCountry, readCurrency } from '../session/account.ts';
import { type CommandContext, openJobContext } from '../session/command-context.ts';
import { readColumnMapping } from './column-mapping.ts';
import { confirmLikely } from './confirm-likely.ts';
import { warnOfPhones } from './describe-phones.ts';
import { describeSheet } from './describe-sheet.ts';
import {
  describeLosses,
  describeOutcomes,
  runWithProgress,
  type SelectionText,
  toEditExitCode,
} from './edit-result.ts';
import { assertSameZone, reportApplied, reviewPlan } from './review-plan.ts';
import { readUnlistedServices } from './unlisted-services.ts';

/** Plans a sheet, shows the plan, asks and applies it. */
export async function runSheetEdit(
  operation: EditOperation,
  file: string,
  context: CommandContext<EditFlags>,
): Promise<CommandResult> {
  const { io, flags, status, messages, prompts } = context;
  assertEditFlags(flags);
  // Only appointments have times.
  const timeZone = operation.noun === 'appointments' ? await context.timeZone() : undefined;
  const edits = await openBulkEdits(context, timeZone);
  const { sheetFormat: format, encoding, sheet: worksheet, guarded, noGuarded, allowNewFields } = flags;
  const isGuarded = noGuarded ? false : guarded;
  const country = flags.country === undefined ? undefined : await parseCountry(flags.country);
  const { mapping, chooseFields, chooseReading, save } = await readColumnMapping(context, operation.noun);
  let progress: Progress | undefined;
  const planned = await edits
    .planSheet(file === '-' ? readStdin(io) : resolve(io.cwd, file), {
      ...operation,
      name: file === '-' ? 'standard input' : basename(file),
      format,
      encoding,
      worksheet,
      isGuarded,
      allowNewFields,
      mapping,
      chooseFields,
      chooseReading,
      confirmDays: async ({ field, count, cell, day }) =>
        prompts.isInteractive &&
        prompts.confirm(
          `${field}: ${countOf(count, 'cells')} with a time of day, such as ${cell}. Read each as the day that begins nearest to it, such as ${day}?`,
        ),
      confirmCommas: async ({ count, example }) =>
        prompts.isInteractive &&
        prompts.confirm(
          `tags: ${countOf(count, 'cells')} with commas, such as "${quote(example, 60)}". Does a comma separate them?`,
        ),
      stylist: flags.stylist,
      splitNames: flags.splitNames,
      keepsPhones: flags.keepPhones,
      ...{ takesLikely: flags.yesLikely, confirmLikely: (plan: Plan) => confirmLikely(plan, context) },
      existing: flags.skipExisting ? 'skip' : flags.allowDuplicate ? 'add' : undefined,
      readCountry: async () => country ?? readCountry(context),
      readCurrency: () => readCurrency(context),
      readServices: () => findServices(context),
      onSheet(sheet) {
        describeSheet(sheet, context);
        progress = startProgress(io, { noun: operation.noun, status, writeLine: messages.verbose });
      },
      onProgress: (read, total) => progress?.update(read, total),
      onInvalidPhones: (lines) => warnOfPhones('invalid', { count: lines.length, lines }, messages),
      onUnsearched: (reason) => messages.warn(`Cannot check whether these clients exist already: ${reason}`),
    })
    .finally(() => progress?.stop());
  await save();
  context.closeAtEnd(planned);
  const addServices = await readUnlistedServices(planned.plan, context);
  const result = await reviewPlan({ edits, planned, context });
  return (await addServices?.(result)) ?? result;
}

/** Throws `usage` for a country without phone numbers. */
async function parseCountry(text: string): Promise<string> {
  const { callingCodeOf } = await import('../../text/phone-reader.ts');
  const country = text.trim().toUpperCase();
  if (callingCodeOf(country) !== undefined) return country;
  throw new SalonError('usage', `--country cannot be "${text}".`, {
    hint: 'Use the ISO 3166 code of a country that has phone numbers, such as DE.',
  });
}

/** Plans an edit of selected records, shows the plan, asks and applies it. */
export async function runSelectedEdit(
  records: SelectedRecords,
  { selected, onPlanned, ...edit }: SelectedEdit & { selected?: SelectionText; onPlanned?: () => void },
  context: CommandContext<EditFlags>,
): Promise<CommandResult> {
  const { io, flags, status, messages } = context;
  assertEditFlags(flags);
  const zone = (await context.session()).settings.timeZone;
  const isNamed = edit.noun === 'appointments' && zone.source !== 'default' && !zone.unusable;
  const edits = await openBulkEdits(context, isNamed ? zone.value : undefined);
  let progress: Progress | undefined;
  const planned = await edits
    .planRecords(records, {
      ...edit,
      allowNewFields: flags.allowNewFields,
      onProgress(read, total) {
        progress ??= startProgress(io, { noun: edit.noun, status, writeLine: messages.verbose });
        progress.update(read, total);
      },
    })
    .finally(() => progress?.stop());
  onPlanned?.();
  return reviewPlan({ edits, planned: context.closeAtEnd(planned), context }, selected);
}

/** Shows a saved plan, asks and applies it. */
export async function applySavedPlan(
  path: string,
  context: CommandContext<EditFlags>,
): Promise<CommandResult> {
  assertEditFlags(context.flags);
  const edits = await openBulkEdits(context);
  const { expect } = context.flags;
  const rowsOf = (saved: Plan) => {
    context.messages.info(`Plan ${path}, fingerprint ${toFingerprint(saved)}`);
    return refuseSeen(saved, context);
  };
  const planned = context.closeAtEnd(await edits.loadPlan(resolve(context.io.cwd, path), { expect, rowsOf }));
  return reviewPlan({ edits, planned, context });
}

/** Plans the undo of a job, shows the plan, asks and applies it. */
export async function undoJob(id: string, given: CommandContext<UndoFlags>): Promise<CommandResult> {
  assertEditFlags(given.flags);
  const job = await readEditJob(jobsFolder(given.io), id);
  const context = await openJobContext(job, given);
  const edits = await openBulkEdits(context);
  const { allowBlocked = false, dryRun } = context.flags;
  const planned = context.closeAtEnd(await edits.planUndo(id, { allowBlocked }));
  if (!allowBlocked && dryRun !== true) await assertUnblocked(planned, edits);
  for (const line of await describeLosses(planned.plan, job.work.edit)) context.messages.warn(line);
  return reviewPlan({ edits, planned, context });
}

/** Throws `time_blocked` before anything is sent: no appointment comes back into time that is blocked by now. */
async function assertUnblocked(planned: PlannedEdit, edits: BulkEdits): Promise<void> {
  const { head, counts } = planned.plan;
  const takesTime = ['stylist_id', 'start_time', 'duration', 'status'].some((name) => counts.fields[name]);
  if (head.edit.noun !== 'appointments' || !takesTime) return;
  const reasons: string[] = [];
  for await (const { refusal } of (await edits.check(planned))?.rows() ?? [])
    if (refusal?.code === 'time_blocked') reasons.push(refusal.reason);
  if (reasons.length === 0) return;
  const those = `${countOf(reasons.length, 'appointments')} cannot go back`;
  throw new SalonError('time_blocked', `${those}: ${[...new Set(reasons)].slice(0, 3).join(' ')}`, {
    hint: 'Undo it anyway with --allow-blocked. To see what blocks the time: salon blocks list',
  });
}

/** Resumes a bulk edit; one that is done needs no connection. */
export async function resumeJob(job: EditJob, given: CommandContext<BudgetFlags>): Promise<CommandResult> {
  const { id } = job;
  const { state } = await readJobStatus(jobsFolder(given.io), id);
  const context = state === 'done' ? given : await openJobContext(job, given);
  const edits = await openBulkEdits(context);
  if (state !== 'done') await assertSameZone((await openJobPlan(jobsFolder(given.io), id)).head, context);
  const applied = await runWithProgress((options) => edits.resume(id, options), context);
  if (!applied.wasDone) return reportApplied(applied, context);
  const message = `Job ${id} is done: ${describeOutcomes(applied.tally, applied.plan.head)}.`;
  return { show: 'nothing', message, exitCode: toEditExitCode(applied) };
}

const rowsPerPage = 200;

/** The results of a bulk edit, a page at a time. */
export async function readJobResults(
  { io, messages }: CommandContext,
  id: string,
  { failedOnly, hidesUnchanged }: { readonly failedOnly: boolean; readonly hidesUnchanged: boolean },
): Promise<AsyncIterable<RecordPage>> {
  await readStepJob(jobsFolder(io), id);
  const noClient = () => Promise.reject(new TypeError('Results are read from this machine.'));
  const edits = createBulkEdits({ client: noClient, folder: jobsFolder(io) });
  return readPages();

  async function* readPages(): AsyncGenerator<RecordPage> {
    let rows: Fields[] = [];
    let hidden = 0;
    for await (const result of edits.results(id, { failedOnly })) {
      if (hidesUnchanged && result.result === 'unchanged') {
        hidden += 1;
        continue;
      }
      rows.push({ ...result });
      if (rows.length < rowsPerPage) continue;
      yield { rows };
      rows = [];
    }
    yield { rows };
    if (hidden > 0) messages.info(`${countOf(hidden, 'unchanged rows')} not shown; --all shows them.`);
  }
}

/** `timeZone`: in which local times are read. */
export async function openBulkEdits(context: CommandContext, timeZone?: string): Promise<BulkEdits> {
  const { io, flags } = context;
  if (flags.curl) {
    throw new SalonError('usage', '--curl is for single changes, not for bulk edits.', {
      hint: 'Use --dry-run to see what would change.',
    });
  }
  context.waitForService();
  const session = await context.session();
  const { concurrency } = session.settings;
  let names: Promise<ClientNames> | undefined;
  return createBulkEdits({
    client: context.client,
    folder: jobsFolder(io),
    timeZone,
    concurrency: concurrency.value,
    signal: io.signal,
    now: io.now,
    random: io.random,
    profile: session.profileName,
    async readContacts(ids) {
      try {
        names ??= openQuietNames(context).then(context.closeAtEnd);
        const { load, contactOf } = await names;
        await load(ids);
        return contactOf;
      } catch (thrown) {
        // What is done is reported even if nobody can be named.
        const { message } = toSalonError(thrown, undefined);
        context.messages.warn(`The results do not name the clients. ${message}`);
        return () => undefined;
      }
    },
    readAccount: () => readAccountIdentity(context),
    onUnread: context.messages.warn,
  });
}

/** Rejects malformed flags before planning, which may take long. Throws `usage`. */
function assertEditFlags({ maxChanges, maxClears, simulate, faults }: EditFlags): void {
  assertBudgets(createPlanCounter().counts(), { maxChanges, maxClears }, 0);
  if (faults !== undefined && simulate !== true) throw new SalonError('usage', '--faults needs --simulate.');
}

const flag = '--not-seen-since';

/** The rows of a plan. Of one for clients who have not come, those who have come by now are refused. */
async function* refuseSeen({ head, rows }: Plan, context: CommandContext): AsyncGenerator<PlannedRow> {
  const { io, client, timeZone } = context;
  await assertSameZone(head, context);
  const { name, isCondition = false } = head.source;
  const [, quoted, word] = /(?:^| )--not-seen-since (?:"([^"]*)"|(\S+))/.exec(name) ?? [];
  const since = quoted ?? word;
  if (!isCondition || since === undefined) return yield* rows();
  const moments = { now: new Date(head.createdAt), timeZone: await timeZone() };
  const from = parseAgo(since, flag, moments);
  using visits = await readClientVisits(await client(), {
    from,
    to: io.now().toISOString(),
    asOf: io.now().toISOString(),
    consistent: true,
  });
  const refusal = { code: 'changed_since', reason: 'Has come since the plan was made.' } as const;
  for await (const row of rows()) {
    const isSeen = row.act !== 'none' && visits.find(row.id, 'visit') !== undefined;
    yield isSeen ? { ...row, act: 'refused', refusal } : row;
  }
}
