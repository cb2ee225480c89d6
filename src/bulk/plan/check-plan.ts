import { basename, dirname, join } from 'node:path';
import { freesSlot } from '../../client/appointment-status.ts';
import type { DryRunClient, SalonClient } from '../../client/client.ts';
import { toPlannedWrite } from '../../client/http/dry-run-client.ts';
import { toFullRecord } from '../../client/resources/update-record.ts';
import { maxDryRunWrites, type PlannedWrite } from '../../contract/dry-run.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf } from '../../text/numbers.ts';
import type { EditOperation } from '../input/edit-fields.ts';
import { readSha256, systemCodeOf } from '../jobs/file-access.ts';
import { type Plan, writePlan } from './plan-file.ts';
import {
  type AccountIdentity,
  countChanges,
  type PlanCounts,
  type PlanHead,
  type PlannedRow,
  type Refusal,
} from './plan-format.ts';

/**
 * Has the server check every row of a plan without executing it. Writes the plan again and marks rows as refused
 * that the server would refuse, or that book a stylist at the time of an earlier row.
 */
export function checkPlan(plan: Plan, server: Pick<DryRunClient, 'check'>, path: string): Promise<Plan> {
  const { head } = plan;
  const findClash = createClashCheck();
  return writePlan(path, head, checkRows());

  async function* checkRows(): AsyncGenerator<PlannedRow> {
    let checking = check([]);
    for await (const batch of readBatches(plan)) {
      // The server checks it while the rows before it are written, and the next ones read.
      const next = check(batch);
      next.catch(() => {});
      yield* toChecked(await checking);
      checking = next;
    }
    yield* toChecked(await checking);
  }

  async function check(batch: readonly PlannedWriteOfRow[]) {
    const writes = batch.flatMap(({ write }) => write ?? []);
    const results = (writes.length === 0 ? [] : await server.check(writes)).values();
    return batch.map(({ row, write }) => ({ row, result: write && results.next().value }));
  }

  function* toChecked(batch: Awaited<ReturnType<typeof check>>): Generator<PlannedRow> {
    for (const { row, result } of batch) {
      const refusal = result instanceof SalonError ? toRefusal(result) : findClash(row);
      yield refusal === undefined ? row : refuseRow(row, refusal);
    }
  }
}

interface PlannedWriteOfRow {
  readonly row: PlannedRow;
  /** Undefined for a row that sends nothing. */
  readonly write: PlannedWrite | undefined;
}

/** The rows of a plan, as many as one request can check. */
async function* readBatches({ head, rows }: Plan): AsyncGenerator<readonly PlannedWriteOfRow[]> {
  let batch: PlannedWriteOfRow[] = [];
  let [writes, length] = [0, 0];
  for await (const row of rows()) {
    const write = toWrite(row, head.edit);
    const size = write === undefined ? 0 : Buffer.byteLength(JSON.stringify(write));
    if (writes === maxDryRunWrites || length + size > maxBatchBytes || batch.length > maxBatchRows) {
      yield batch;
      batch = [];
      [writes, length] = [0, 0];
    }
    batch.push({ row, write });
    if (write !== undefined) writes += 1;
    length += size;
  }
  yield batch;
}

/** Below the limit of a request body, with room for what surrounds the writes. */
const maxBatchBytes = 900_000;
/** Rows that send nothing, such as unchanged ones, are held in the batch too: this bounds memory. */
const maxBatchRows = 10 * maxDryRunWrites;

/** A broken rule names its field without the `/` of a JSON pointer. */
function toRefusal({ code, message, violations }: SalonError): Refusal {
  const rules = violations.map(({ detail }) => detail);
  const isSummary = rules.some((rule) => message.startsWith(rule));
  const sentences = isSummary ? rules : [message, ...rules];
  return { code, reason: sentences.map((text) => text.replace(/^\/(?=\w)/, '')).join(' ') };
}

export function refuseRow({ row, line, id, cells, before }: PlannedRow, refusal: Refusal): PlannedRow {
  return { row, line, act: 'refused', id, refusal, cells, before };
}

function toWrite(
  { act, id, change = {}, before = {} }: PlannedRow,
  { noun, force, reason }: EditOperation,
): PlannedWrite | undefined {
  if (act === 'none' || act === 'refused') return undefined;
  const known = { id: id ?? '' };
  if (noun === 'clients' && act === 'delete')
    return toPlannedWrite(endpoints.deleteClient, { ...known, query: force ? { force } : {} });
  if (act === 'delete') {
    const body = reason === undefined ? undefined : { cancellation_reason: reason };
    return toPlannedWrite(endpoints.cancelAppointment, { ...known, body });
  }
  const { createClient, updateClient, createAppointment, updateAppointment } = endpoints;
  const [create, update] =
    noun === 'clients' ? [createClient, updateClient] : [createAppointment, updateAppointment];
  if (act === 'create') return toPlannedWrite(create, { body: change });
  return toPlannedWrite(update, { ...known, body: toFullRecord(before, change) });
}

/** Finds new appointments that clash with an earlier row: the server checks each row alone. Call it in row order. */
function createClashCheck(): (row: PlannedRow) => Refusal | undefined {
  const bookings = new Map<string, { line: number; startMs: number; endMs: number }[]>();
  return ({ act, line, change = {} }) => {
    const { stylist_id: stylist, start_time: start, duration, status, allow_overlap } = change;
    const startMs = Date.parse(String(start));
    const endMs = startMs + Number(duration) * 60_000;
    if (act !== 'create' || typeof stylist !== 'string' || !(endMs > startMs)) return undefined;
    if (freesSlot(status)) return undefined;
    const taken = bookings.get(stylist) ?? [];
    const other = taken.find((one) => one.startMs < endMs && one.endMs > startMs);
    const reason = `Line ${other?.line} books the same stylist at that time.`;
    if (other !== undefined && allow_overlap !== true) return { code: 'appointment_conflict', reason };
    bookings.set(stylist, taken);
    taken.push({ line, startMs, endMs });
    return undefined;
  };
}

/** Servers without `GET /me` are identified by their origin alone. */
export async function readClientAccount(client: SalonClient): Promise<AccountIdentity> {
  try {
    return { origin: client.origin, account: (await client.me()).account.id };
  } catch (thrown) {
    if (!(thrown instanceof SalonError) || thrown.code !== 'not_supported') throw thrown;
    return { origin: client.origin, account: null };
  }
}

/** Throws `usage` if a plan was made for another account than `current`. */
export function assertPlanFits(
  { account: planned }: Pick<PlanHead, 'account'>,
  current: AccountIdentity,
): void {
  if (planned.origin === current.origin && planned.account === current.account) return;
  const message = `The plan was made for ${describe(planned)}, but this is ${describe(current)}.`;
  throw new SalonError('usage', message, { hint: 'Choose the right profile with --profile.' });
}

function describe({ origin, account }: AccountIdentity): string {
  return account === null ? origin : `account ${account} at ${origin}`;
}

/** Throws `conflict` if the sheet next to a plan has changed since the plan was made. */
export async function assertSheetUnchanged({ path, head }: Pick<Plan, 'path' | 'head'>): Promise<void> {
  const { name, sha256, isCondition = false } = head.source;
  if (isCondition) return;
  const current = await readSha256(join(dirname(path), name)).catch((error: unknown) => {
    if (systemCodeOf(error) === undefined) throw error;
  });
  if (current === undefined || current === sha256) return;
  throw new SalonError('conflict', `${name} has changed since ${basename(path)} was made from it.`, {
    hint: 'Make a new plan. To apply the old one anyway, move it to another folder.',
  });
}

/** How much a plan may change: a number such as `50`, or a share such as `5%`. Unlimited if left out. */
export interface Budgets {
  /** Records created, changed and deleted. */
  readonly maxChanges?: string | undefined;
  /** Fields with a value that would be cleared. */
  readonly maxClears?: string | undefined;
}

/**
 * Throws `budget_exceeded` if a plan would change too much, `usage` for a budget that cannot be parsed. A share is one
 * of `records`, or of the rows if that is null.
 */
export function assertBudgets(
  counts: PlanCounts,
  { maxChanges, maxClears }: Budgets,
  records: number | null,
): void {
  const whole = records ?? counts.rows;
  const changes = countChanges(counts);
  if (maxChanges !== undefined && changes > parseBudget(maxChanges, '--max-changes', whole)) {
    const effect = counts.delete > 0 ? 'be deleted' : counts.create > 0 ? 'be added' : 'change';
    throw exceeded(`${countOf(changes, 'records')} would ${effect}`, `--max-changes is ${maxChanges}`);
  }
  if (maxClears !== undefined && counts.clears > parseBudget(maxClears, '--max-clears', whole)) {
    throw exceeded(`${countOf(counts.clears, 'fields')} would be cleared`, `--max-clears is ${maxClears}`);
  }
}

function parseBudget(budget: string, flag: string, whole: number): number {
  const [, number, percent] = /^(\d{1,9}(?:\.\d{1,6})?)(%?)$/.exec(budget) ?? [];
  const most = percent === '%' ? (whole * Number(number)) / 100 : Number(number);
  if (number !== undefined && (percent === '%' || Number.isInteger(most))) return most;
  throw new SalonError('usage', `Invalid ${flag}: "${budget}".`, {
    hint: 'Use a number such as 50, or a percentage such as 5%.',
  });
}

function exceeded(effect: string, budget: string): SalonError {
  return new SalonError('budget_exceeded', `${effect}, but ${budget}. Nothing was sent.`, {
    hint: 'Review the plan, and raise the limit if it is right.',
  });
}

/** 64 bits: short enough to read out, too long to find another plan for. */
const fingerprintLength = 16;
/** 48 bits still tell apart the plans that people have. */
const minFingerprintLength = 12;

/** What people compare to know that they mean the same plan: the start of its SHA-256. */
export function toFingerprint({ sha256 }: Pick<Plan, 'sha256'>): string {
  return sha256.slice(0, fingerprintLength);
}

/**
 * Throws `conflict` for a plan with another fingerprint, and `usage` for a text that is none. The whole SHA-256, which
 * the plan file ends with, will do as well.
 */
export function assertFingerprint(plan: Pick<Plan, 'path' | 'sha256'>, expected: string): void {
  const wanted = expected.trim().toLowerCase();
  if (
    !/^[0-9a-f]+$/.test(wanted) ||
    wanted.length < minFingerprintLength ||
    wanted.length > plan.sha256.length
  ) {
    throw new SalonError('usage', `"${expected}" is not the fingerprint of a plan.`, {
      hint: 'Use the 16 characters that --plan-file and --dry-run print.',
    });
  }
  if (plan.sha256.startsWith(wanted)) return;
  const message = `${plan.path} has the fingerprint ${toFingerprint(plan)}, not ${wanted}.`;
  throw new SalonError('conflict', message, {
    hint: `It is not the plan that was reviewed. Show it: salon jobs apply ${plan.path} --dry-run`,
  });
}
