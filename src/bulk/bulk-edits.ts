import { randomBytes } from 'node:crypto';
import type { SalonClient } from '../client/client.ts';
import { assertKnownNames, type Fields } from '../client/json-object.ts';
import type { SalonError } from '../contract/errors.ts';
import { readSheetHistory } from './apply/related-jobs.ts';
import { isFailed, type ReadContacts, type ResultRow, readRowResults, toResultRow } from './apply/results.ts';
import { openEditJob, type RunOptions, type RunResult, reopenEditJob, runEditJob } from './apply/run-edit.ts';
import type { OpenStepJob } from './apply/step-job.ts';
import { once } from './concurrent.ts';
import type { DetectOptions } from './input/detect-sheet.ts';
import type { EditOperation } from './input/edit-fields.ts';
import type { EditJob } from './jobs/job.ts';
import { journalPath } from './jobs/job-folder.ts';
import { emptyOutcomeCounts } from './jobs/journal.ts';
import { readMergePlan } from './merge/merge-job.ts';
import {
  assertBudgets,
  assertFingerprint,
  assertPlanFits,
  assertSheetUnchanged,
  type Budgets,
  checkPlan,
  readClientAccount,
} from './plan/check-plan.ts';
import type { SheetReading } from './plan/open-sheet.ts';
import { type BookingOptions, planBookings } from './plan/plan-bookings.ts';
import {
  copyPlan,
  openJobPlan,
  openPlan,
  openPlanFolder,
  type Plan,
  type PlanFolder,
  readStepJob,
  writePlan,
} from './plan/plan-file.ts';
import type { AccountIdentity, PlannedRow } from './plan/plan-format.ts';
import { planRecords, type RecordEdit, type SelectedRecords } from './plan/plan-records.ts';
import { planSheet, type SheetInput } from './plan/plan-sheet.ts';
import { planUndo } from './undo/plan-undo.ts';

/** What to do with a sheet, and how to read it. */
export interface SheetEdit
  extends Pick<EditOperation, 'noun' | 'verb' | 'overwrites'>,
    Omit<DetectOptions, 'recognises' | 'asksUnknown'>,
    SheetReading {
  /** The field that identifies the record of a row; `id` by default. */
  readonly match?: string | undefined;
  /** Whether a delete cancels upcoming appointments. */
  readonly force?: boolean | undefined;
}

/** What to do with the records of a selection. */
export interface SelectedEdit
  extends RecordEdit,
    Pick<EditOperation, 'noun' | 'reason' | 'onConflict'>,
    Pick<SheetEdit, 'force'> {
  /** `delete` cancels appointments. */
  readonly verb: 'update' | 'delete';
}

/** A plan of which nothing was sent yet. Disposal removes its files unless it was applied. */
export interface PlannedEdit extends AsyncDisposable {
  /** ID of the job that applying it starts. */
  readonly id: string;
  /** Every planned row, with counts. */
  readonly plan: Plan;
  /** The job that it undoes; null for a sheet. */
  readonly undoes: string | null;
}

export interface BulkEditsOptions {
  /**
   * A client, or a function that opens one when first needed: reading results needs none. Give it the same `signal`:
   * the client's ends planning, the one here stops a running edit between two rows.
   */
  readonly client: SalonClient | (() => Promise<SalonClient>);
  /** Folder of the jobs. They contain records, so each gets a folder that only its owner may enter. */
  readonly folder: string;
  /** IANA name of the zone of times without one; UTC by default. */
  readonly timeZone?: string | undefined;
  /** Rows sent at a time; 8. Use the client's own setting. */
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly now?: (() => Date) | undefined;
  readonly random?: ((size: number) => Uint8Array) | undefined;
  /** Name of the profile that jobs are started with. */
  readonly profile?: string | undefined;
  /** The account that plans belong to; by default the client's origin and the account from `GET /me`. */
  readonly readAccount?: (() => Promise<AccountIdentity>) | undefined;
  /** Reads clients by ID: `results.csv` of appointments then has their names, phones and email addresses. */
  readonly readContacts?: ReadContacts | undefined;
  /** Called with a sentence if it is unknown whether clients that a plan deletes have upcoming appointments. */
  readonly onUnread?: ((sentence: string) => void) | undefined;
}

interface LoadOptions {
  /** At least the first 12 characters of the SHA-256 of the plan that was reviewed. */
  readonly expect?: string | undefined;
  /** The rows to apply, some of them refused; by default those of the plan. */
  readonly rowsOf?: ((plan: Plan) => AsyncIterable<PlannedRow>) | undefined;
}

export interface ApplyOptions extends Budgets, ResumeOptions {
  /** Whether to add the rows of a sheet that a job adds or has added. */
  readonly again?: boolean | undefined;
}

export interface ResumeOptions extends Pick<RunOptions, 'onProgress'> {
  /** Failures after which nothing more is sent. */
  readonly maxErrors?: number | undefined;
  /** Called before the first request of a run. */
  readonly onStart?: ((start: RunStart) => void) | undefined;
}

export interface RunStart {
  readonly plan: Plan;
  /** Rows by outcome of earlier runs. */
  readonly tally: RunResult['tally'];
  /** Whether the end of the journal was damaged: the rows it concerned are checked again. */
  readonly isJournalDamaged: boolean;
}

/** The result of a run. With a `stop` the job is unfinished, and `resume` continues it. */
export interface AppliedEdit extends RunResult {
  readonly id: string;
  readonly plan: Plan;
  /** Whether the job was done before, so that this run sent nothing. */
  readonly wasDone: boolean;
}

/** Edits of many records, each planned before it is sent, kept as a job, and undone by another job. */
export interface BulkEdits {
  /** Validates and plans a sheet. Throws `usage` with every fault in `violations`. Only reads from the server. */
  planSheet(sheet: SheetInput, edit: SheetEdit): Promise<PlannedEdit>;
  /**
   * Plans one edit for every record of a list, such as `selectClients(client, { tags: ['vip'] })`. Throws `usage` for
   * invalid values, `unexpected_response` if nothing shows that the records match what the list was asked for.
   */
  planRecords(records: SelectedRecords, edit: SelectedEdit): Promise<PlannedEdit>;
  /** Plans 1 to 60 appointments that are booked together. Throws `usage` for values that the contract does not allow. */
  planBookings(bookings: readonly Fields[], options: BookingOptions): Promise<PlannedEdit>;
  /** Plans the undo of a job; `allowBlocked` books even if the stylist is away. Throws `conflict` while it is running. */
  planUndo(id: string, options?: { readonly allowBlocked?: boolean }): Promise<PlannedEdit>;
  /**
   * Loads a saved plan. Throws `usage` for one of another account, `conflict` if it has another fingerprint than
   * expected, or if its sheet has changed.
   */
  loadPlan(path: string, options?: LoadOptions): Promise<PlannedEdit>;
  /** Saves a plan completely or not at all. Throws `output_failed`. */
  savePlan(planned: PlannedEdit, path: string): Promise<void>;
  /**
   * Has the server check every row without executing it, at 200 rows a request. Returns the plan with the rows refused
   * that the server would refuse; undefined where the server cannot check.
   */
  check(planned: PlannedEdit): Promise<Plan | undefined>;
  /** Throws `budget_exceeded` if a plan changes more than it may. */
  checkBudgets(planned: PlannedEdit, budgets: Budgets): Promise<void>;
  /** The error of `apply` without `again` for a new sheet that a job on this machine adds or has added. */
  findAdded(planned: PlannedEdit): Promise<SalonError | undefined>;
  /**
   * Applies a plan. Rows whose record has changed since are skipped. Throws `budget_exceeded`, `confirmation_required`
   * for a list that may be incomplete, or as `findAdded`, before it sends; later failures are in `tally` and `stop`.
   */
  apply(planned: PlannedEdit, options?: ApplyOptions): Promise<AppliedEdit>;
  /** Continues an unfinished job. Does nothing for one that is done. */
  resume(id: string, options?: ResumeOptions): Promise<AppliedEdit>;
  /** The result of every row in sheet order, or only of rows that did not turn out as planned. */
  results(id: string, options?: { readonly failedOnly?: boolean }): AsyncIterable<ResultRow>;
}

export function createBulkEdits(options: BulkEditsOptions): BulkEdits {
  const { folder: root, timeZone = 'UTC', concurrency = 8, signal, profile = null } = options;
  const { now = () => new Date(), random = (size: number) => randomBytes(size) } = options;
  const { client: given, readContacts, onUnread } = options;
  const openClient = once(async () => (typeof given === 'function' ? given() : given));
  const readAccount = once(options.readAccount ?? (async () => readClientAccount(await openClient())));

  async function planInto(
    make: (into: PlanFolder) => Promise<Plan>,
    undoes: string | null = null,
  ): Promise<PlannedEdit> {
    await using stack = new AsyncDisposableStack();
    const into = stack.use(await openPlanFolder(root, { now, random }));
    let plan = await make(into);
    if (plan.head.edit.noun === 'clients' && plan.counts.delete > 0) {
      const { planBooked } = await import('./plan/booked-clients.ts');
      plan = await planBooked(plan, await openClient(), { now: now(), onUnread });
    }
    const kept = stack.move();
    return { id: into.id, plan, undoes, [Symbol.asyncDispose]: () => kept.disposeAsync() };
  }

  async function run(
    opened: OpenStepJob<EditJob, Plan>,
    { onStart, ...limits }: ResumeOptions,
  ): Promise<AppliedEdit> {
    const { job, plan, progress } = opened;
    const { isDamaged: isJournalDamaged } = progress;
    const tally = { ...emptyOutcomeCounts, ...progress.tally };
    if (progress.state === 'done')
      return { id: job.id, plan, tally, stop: undefined, reports: undefined, wasDone: true };
    assertPlanFits(plan.head, await readAccount());
    onStart?.({ plan, tally, isJournalDamaged });
    const client = await openClient();
    const end = await runEditJob(opened, { client, concurrency, now, signal, readContacts, ...limits });
    return { id: job.id, plan, wasDone: false, ...end };
  }

  /** Records in the list, if a budget needs to know. */
  async function countRecords({ head }: Plan, budgets: Budgets): Promise<number | null> {
    const isShare = [budgets.maxChanges, budgets.maxClears].some((budget) => budget?.endsWith('%'));
    if (head.records !== null || !isShare) return head.records;
    const client = await openClient();
    for await (const { total } of client[head.edit.noun].list({}, { limit: 1 })) return total ?? null;
    return null;
  }

  const checkBudgets: BulkEdits['checkBudgets'] = async ({ plan }, budgets) =>
    assertBudgets(plan.counts, budgets, await countRecords(plan, budgets));

  return {
    planSheet: (sheet, { noun, verb, match = 'id', force = false, overwrites, ...reading }) =>
      planInto(async (into) => {
        assertKnownNames(reading, sheetOptions, 'option');
        const edit = { noun, verb, match, force, overwrites };
        const given = { readAccount, edit, timeZone, concurrency, into, now: now(), signal };
        return planSheet(sheet, { ...reading, ...given, client: await openClient() });
      }),
    planRecords: (records, { noun, verb, reason, onConflict, force = false, ...change }) =>
      planInto(async (into) => {
        const edit = { noun, verb, match: 'id', force, reason, onConflict };
        const { map } = (await openClient()).dialect(noun);
        const set = change.set && (map?.adopt(change.set) ?? change.set);
        const planning = { edit, readAccount, timeZone: options.timeZone, into, now: now() };
        return planRecords(records, { ...change, set }, planning);
      }),
    planBookings: (bookings, how) =>
      planInto((into) => planBookings(bookings, how, { readAccount, timeZone, into, now: now() })),
    planUndo: (id, { allowBlocked = false } = {}) =>
      planInto(async (into) => {
        const planning = { client: await openClient(), concurrency, readAccount, into, now: now() };
        return planUndo(root, id, { ...planning, allowBlocked });
      }, id),
    loadPlan: (path, { expect, rowsOf = (plan: Plan) => plan.rows() } = {}) =>
      planInto(async (into) => {
        const saved = await openPlan(path);
        if (expect !== undefined) assertFingerprint(saved, expect);
        assertPlanFits(saved.head, await readAccount());
        await assertSheetUnchanged(saved);
        return writePlan(into.planPath, saved.head, rowsOf(saved));
      }),
    savePlan: ({ plan }, path) => copyPlan(plan, path),
    async check({ plan }) {
      const dryRun = await (await openClient()).dryRun();
      return dryRun === undefined ? undefined : checkPlan(plan, dryRun, `${plan.path}.checked`);
    },
    checkBudgets,
    findAdded: async ({ plan }) => (await readSheetHistory(root, plan)).refusal,
    async apply(planned, options = {}) {
      const { maxErrors = null, onProgress, onStart, again, ...budgets } = options;
      assertKnownNames(budgets, ['maxChanges', 'maxClears'], 'option');
      const { id, plan, undoes } = planned;
      assertPlanFits(plan.head, await readAccount());
      await checkBudgets(planned, budgets);
      const { verb, onConflict } = plan.head.edit;
      const isBooking = verb === 'create' && onConflict !== undefined;
      const isBatch = isBooking && (await (await openClient()).appointments.canCreateMany());
      const job = { id, plan, undoes, profile, isBatch: isBatch || undefined, maxErrors, again };
      await using opened = await openEditJob(root, job, now());
      return await run(opened, { onProgress, onStart });
    },
    async resume(id, limits = {}) {
      await using opened = await reopenEditJob(root, id);
      return await run(opened, limits);
    },
    async *results(id, { failedOnly = false } = {}) {
      const job = await readStepJob(root, id);
      const edit = job.kind === 'edit' ? job.work.edit : ({ noun: 'clients', verb: 'update' } as const);
      const rows =
        job.kind === 'edit' ? (await openJobPlan(root, id)).rows() : (await readMergePlan(root, id)).steps;
      for await (const result of readRowResults(rows, journalPath(root, id))) {
        if (!failedOnly || isFailed(result)) yield toResultRow(result, edit);
      }
    },
  };
}

const sheetOptions: readonly (keyof SheetEdit)[] = [
  ...(['name', 'format', 'encoding', 'worksheet', 'isGuarded', 'allowNewFields', 'mapping'] as const),
  ...(['chooseFields', 'stylist', 'splitNames', 'keepsPhones', 'existing', 'readCountry', 'signal'] as const),
  ...(['readServices', 'readCurrency', 'chooseReading', 'confirmDays', 'confirmCommas', 'onSheet'] as const),
  ...(['knownFields', 'readFieldNames', 'onProgress', 'onInvalidPhones', 'onUnsearched'] as const),
  ...(['takesLikely', 'confirmLikely'] as const),
];
