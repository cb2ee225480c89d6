import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { SalonClient } from '../client/client.ts';
import { SalonError } from '../contract/errors.ts';
import { type OpenEditJob, openEditJob, reopenEditJob } from './apply/edit-job.ts';
import { type ResultRow, readRowResults, toResultRow } from './apply/results.ts';
import { type EditEnd, type EditRunning, runEditJob } from './apply/run-edit.ts';
import { type DetectOptions, detectSheetForm } from './input/detect-sheet.ts';
import type { AccountIdentity, EditOperation } from './input/edit-fields.ts';
import { checkForSalon, refuseSheet } from './input/validate-sheet.ts';
import { journalPath } from './jobs/job-folder.ts';
import { assertBudgets, assertPlanFits, type Budgets } from './plan/plan-checks.ts';
import type { Plan } from './plan/plan-file.ts';
import { openJobPlan, openPlanFolder, type PlanFolder, readEditJob } from './plan/plan-folder.ts';
import { planSheet } from './plan/plan-sheet.ts';
import { planJobUndo } from './undo/plan-undo.ts';

export interface BulkEditsOptions {
  /** Its `signal` ends planning; give the same one here, so that an edit that runs stops between two rows. */
  readonly client: SalonClient;
  /** Where jobs are kept, a folder for each that only its owner may enter: they hold records. */
  readonly folder: string;
  /** IANA name of the zone that times without one are in; UTC. */
  readonly timeZone?: string | undefined;
  /** Requests side by side, as the client was made with; 8. */
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly now?: (() => Date) | undefined;
}

/** What a sheet is to do, and how it is read. */
export interface SheetEdit extends Pick<EditOperation, 'noun' | 'verb'>, DetectOptions {
  /** The field by which rows find their records; `id`. */
  readonly match?: string | undefined;
  /** Whether a removal cancels what is upcoming. */
  readonly force?: boolean | undefined;
  /** Whether columns that neither the contract nor the server knows are sent. */
  readonly allowNewFields?: boolean | undefined;
}

/** A plan that nothing was sent of yet. Disposing of it leaves nothing behind, unless it was applied. */
export interface PlannedEdit extends AsyncDisposable {
  readonly id: string;
  /** What would be done to every row, with counts. */
  readonly plan: Plan;
  /** The job it takes back; null for a sheet. */
  readonly undoes: string | null;
}

export interface ApplyOptions extends Omit<Budgets, 'records'>, Pick<EditRunning, 'watch'> {
  /** After so many failures nothing more is sent. */
  readonly maxErrors?: number | undefined;
}

/** What became of a job. It is not over while there is a `stop`: `resume` goes on with it. */
export interface AppliedEdit extends EditEnd {
  readonly id: string;
}

/** Edits of many records, each of them planned before it is sent, kept as a job, and taken back by another. */
export interface BulkEdits {
  /** Checks and plans a sheet. Throws `usage` with every fault in `violations`; nothing is sent but reads. */
  planSheet(path: string, edit: SheetEdit): Promise<PlannedEdit>;
  /** Plans what takes a job back. Throws `conflict` while it is running. */
  planUndo(id: string): Promise<PlannedEdit>;
  /**
   * Carries a plan out. Rows that somebody has changed since are left alone. Throws `budget_exceeded` before anything
   * is sent; what goes wrong later is in `tally` and `stop`.
   */
  apply(planned: PlannedEdit, options?: ApplyOptions): Promise<AppliedEdit>;
  /** Goes on with a job, whatever ended it. One that is done stays as it is. */
  resume(id: string, options?: Pick<EditRunning, 'watch' | 'maxErrors'>): Promise<AppliedEdit>;
  /** What became of every row, in the order of the sheet. */
  results(id: string): AsyncIterable<ResultRow>;
}

export function createBulkEdits(options: BulkEditsOptions): BulkEdits {
  const { client, folder: root, timeZone = 'UTC', concurrency = 8, signal } = options;
  const { now = () => new Date() } = options;
  const environment = { now, random: (size: number) => randomBytes(size) };
  let known: Promise<AccountIdentity> | undefined;
  const readAccount = () => (known ??= readEditAccount(client));

  async function planInto(make: (into: PlanFolder) => Promise<Plan>, undoes: string | null) {
    await using stack = new AsyncDisposableStack();
    const into = stack.use(await openPlanFolder(root, environment));
    const plan = await make(into);
    const kept = stack.move();
    return { id: into.id, plan, undoes, [Symbol.asyncDispose]: () => kept.disposeAsync() };
  }

  async function run(
    opened: OpenEditJob,
    asked: Pick<EditRunning, 'watch' | 'maxErrors'>,
  ): Promise<AppliedEdit> {
    const end = await runEditJob(opened, { client, concurrency, now, signal, ...asked });
    return { id: opened.job.id, ...end };
  }

  return {
    planSheet: (path, { match = 'id', force = false, noun, verb, allowNewFields, ...detect }) =>
      planInto(async (into) => {
        const { name = basename(path) } = detect;
        const edit = { noun, verb, match, force };
        const form = await detectSheetForm(path, { ...detect, name });
        const checking = { client, edit, allowNewFields, now: now(), timeZone };
        const { check, known: names } = await checkForSalon(path, form, checking);
        const { faults, faultCount: count } = check;
        if (count > 0) throw refuseSheet({ name, faults, count, known: names });
        const source = { name, sha256: await readDigest(path), form };
        const account = await readAccount();
        return planSheet({ client, account, edit, path, source, timeZone, into, now: now() });
      }, null),
    planUndo: (id) =>
      planInto(async (into) => {
        return planJobUndo(root, id, { client, account: await readAccount(), into, now: now() });
      }, id),
    async apply({ id, plan, undoes }, { maxErrors = null, watch, ...budgets } = {}) {
      assertPlanFits(plan.head, await readAccount());
      assertBudgets(plan.counts, { ...budgets, records: plan.head.records });
      const starting = { id, plan, undoes, profile: null, maxErrors, now: now() };
      await using opened = await openEditJob(root, starting);
      return await run(opened, { watch });
    },
    async resume(id, { watch, maxErrors } = {}) {
      await using opened = await reopenEditJob(root, id);
      const { progress, plan } = opened;
      if (progress.isDone) return { id, tally: progress.tally, stop: undefined, reports: undefined };
      assertPlanFits(plan.head, await readAccount());
      return await run(opened, { watch, maxErrors });
    },
    async *results(id) {
      await readEditJob(root, id);
      const plan = await openJobPlan(root, id);
      for await (const row of readRowResults(plan.rows(), journalPath(root, id))) yield toResultRow(row);
    },
  };
}

/** Whose records a client works on. A server that does not tell has its origin alone. */
async function readEditAccount(client: SalonClient): Promise<AccountIdentity> {
  try {
    return { origin: client.origin, account: (await client.me()).account.id };
  } catch (thrown) {
    if (!(thrown instanceof SalonError) || thrown.code !== 'not_supported') throw thrown;
    return { origin: client.origin, account: null };
  }
}

async function readDigest(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest('hex');
}
