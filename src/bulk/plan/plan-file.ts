import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isFields } from '../../client/json-object.ts';
import { keyOf } from '../../client/pagination/page.ts';
import { SalonError } from '../../contract/errors.ts';
import { tryParseJson } from '../../text/json.ts';
import { isOperation } from '../input/edit-fields.ts';
import { createUnreadableError, systemCodeOf, withFileErrors } from '../jobs/file-access.ts';
import type { EditJob, MergeJob } from '../jobs/job.ts';
import { createDraftFolder, createJobId, jobPath, readJob } from '../jobs/job-folder.ts';
import { createPartialFile } from '../jobs/partial-file.ts';
import {
  createPlanCounter,
  findUndoneJob,
  type PlanCounts,
  type PlanHead,
  type PlannedRow,
} from './plan-format.ts';

/*
 * A plan is one JSON document, written so that it can be read line by line:
 *
 *   {"salon_plan":1, … ,"rows":[
 *   {"row":1, … },
 *   {"row":2, … }
 *   ],"counts":{ … },"sha256":"…"}
 *
 * The digest covers every byte before `,"sha256"`.
 */

const version = 1;
const digestStart = ',"sha256":"';

/** A plan on disk. */
export interface Plan {
  readonly path: string;
  readonly head: PlanHead;
  readonly counts: PlanCounts;
  /** Identifies the plan. */
  readonly sha256: string;
  /** The rows in sheet order; can be read again. */
  rows(): AsyncGenerator<PlannedRow>;
}

/**
 * Opens a plan in bounded memory. A plan that was truncated or changed by a single byte is refused: throws `usage`,
 * with the line if known.
 */
export async function openPlan(path: string): Promise<Plan> {
  const hash = createHash('sha256');
  let [lines, first, last] = [0, '', ''];
  for await (const block of readLines(path)) {
    for (const line of block) {
      if (lines === 0) {
        if (!line.startsWith('{"salon_plan":')) throw unusable(path, 'line 1 does not start a salon plan');
        if (!line.startsWith(`{"salon_plan":${version},`))
          throw unusable(path, 'another version of salon wrote it');
        first = line;
      }
      hash.update(last);
      last = line;
      lines += 1;
    }
  }
  if (lines === 0) throw unusable(path, 'it is empty');
  const digestAt = last.lastIndexOf(digestStart);
  if (!last.startsWith('],"counts":{') || digestAt === -1)
    throw unusable(path, `it was truncated or edited at line ${lines}`);
  const covered = last.slice(0, digestAt);
  const sha256 = hash.update(covered).digest('hex');
  if (last.slice(digestAt) !== renderDigest(sha256)) throw unusable(path, 'it was edited');
  const { created_at: createdAt, edit, source, ...others } = JSON.parse(`${first}]}`);
  const { origin, account, time_zone: timeZone, records } = others;
  if (!isOperation(edit)) throw unusable(path, 'it does something that salon cannot do');
  const head = { createdAt, edit, source, account: { origin, account }, timeZone, records };
  const { counts }: Pick<Plan, 'counts'> = JSON.parse(`{"rows":[${covered}}`);
  return toPlan(path, { head, counts, sha256 });
}

function renderDigest(sha256: string): string {
  return `${digestStart}${sha256}"}\n`;
}

/** The plan in a file: its path may have changed since it was written. */
export function toPlan(
  path: string,
  { head, counts, sha256 }: Pick<Plan, 'head' | 'counts' | 'sha256'>,
): Plan {
  return { path, head, counts, sha256, rows: () => readRows(path, head) };
}

async function* readRows(path: string, head: PlanHead): AsyncGenerator<PlannedRow> {
  let number = 0;
  let last = 0;
  for await (const block of readLines(path)) {
    for (const line of block) {
      number += 1;
      if (number === 1) continue;
      if (line.startsWith(']')) return;
      const row = tryParseJson(line.replace(/,?\n$/, '')) as PlannedRow | undefined;
      if (!isFields(row)) throw unusable(path, `it changed while in use, at line ${number}`);
      const fault = findRowFault(row, { acts: actsOf(head), after: last });
      if (fault !== undefined) throw unusable(path, `line ${number} ${fault}`);
      last = row.row;
      yield row;
    }
  }
}

function unusable(path: string, reason: string): SalonError {
  return new SalonError('usage', `${path} is not a usable plan: ${reason}.`, {
    hint: 'Make a new plan. Only a reviewed, unchanged plan is applied.',
  });
}

/** A longer line cannot be part of a plan. */
const maxLineLength = 16 * 1_048_576;

/** Lines with their line breaks, in batches. Throws `usage` if the file cannot be read. */
async function* readLines(path: string): AsyncGenerator<readonly string[]> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
      const [first = '', ...others]: string[] = chunk.split('\n');
      const lines = [rest + first, ...others];
      rest = lines.pop() ?? '';
      if (rest.length > maxLineLength) throw unusable(path, 'its lines are too long');
      yield lines.map((line) => `${line}\n`);
    }
  } catch (error) {
    if (error instanceof SalonError || systemCodeOf(error) === undefined) throw error;
    const hint = 'Use a file written by --plan-file. A job without its plan cannot be resumed.';
    throw createUnreadableError(`plan ${path}`, error, hint);
  }
  if (rest !== '') yield [rest];
}

/** Characters written at once. */
const blockLength = 65_536;

/**
 * Writes a plan completely or not at all, in bounded memory. It contains records, so only its owner may read it.
 * Throws `output_failed`, and what `rows` throws.
 */
export async function writePlan(
  path: string,
  head: PlanHead,
  rows: Iterable<PlannedRow> | AsyncIterable<PlannedRow>,
): Promise<Plan> {
  const file = await createPartialFile({ path, realPath: path, mode: 0o600 }, `plan-${randomUUID()}`);
  const hash = createHash('sha256');
  const counter = createPlanCounter({
    restores: findUndoneJob(head) !== undefined,
  });
  let block = '';

  async function writeBlock(): Promise<void> {
    const bytes = Buffer.from(block);
    hash.update(bytes);
    await file.write(bytes);
    block = '';
  }

  try {
    const { createdAt: created_at, edit, source, account, timeZone: time_zone, records } = head;
    const written = { salon_plan: version, created_at, edit, source, ...account, time_zone, records };
    block = `${JSON.stringify(written).slice(0, -1)},"rows":[`;
    let separator = '';
    for await (const row of rows) {
      block += `${separator}\n${JSON.stringify(row)}`;
      separator = ',';
      if (block.length >= blockLength) await writeBlock();
      counter.add(row);
    }
    const end = { counts: counter.counts() };
    block += `\n],${JSON.stringify(end).slice(1, -1)}`;
    await writeBlock();
    const sha256 = hash.digest('hex');
    await file.write(renderDigest(sha256));
    await file.commit();
    return toPlan(path, { head, ...end, sha256 });
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** Copies a plan completely or not at all. Only its owner may read the copy. Throws `output_failed`. */
export async function copyPlan(plan: Plan, path: string): Promise<void> {
  const file = await createPartialFile({ path, realPath: path, mode: 0o600 }, `plan-${randomUUID()}`);
  try {
    await withFileErrors(path, () => copyFile(plan.path, file.path));
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** `root` is the folder of all jobs. */
export async function openPlanFolder(
  root: string,
  { now, random }: { readonly now: () => Date; readonly random: (size: number) => Uint8Array },
) {
  const id = createJobId(now(), random);
  const folder = await createDraftFolder(root, id);
  return {
    /** ID of the job it may become. */
    id,
    folder,
    planPath: join(folder, planName),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A folder for a new plan, removed on disposal unless it became the folder of a job. */
export type PlanFolder = Awaited<ReturnType<typeof openPlanFolder>>;

/** Throws `usage` for a job that is not a bulk edit. */
export async function readEditJob(root: string, id: string): Promise<EditJob> {
  const job = await readStepJob(root, id);
  if (job.kind === 'edit') return job;
  throw notAnEdit(id, 'a merge of clients');
}

/** Throws `usage` for an export. */
export async function readStepJob(root: string, id: string): Promise<EditJob | MergeJob> {
  const job = await readJob(root, id);
  if (job.kind !== 'export') return job;
  throw notAnEdit(id, 'an export');
}

function notAnEdit(id: string, kind: string): SalonError {
  return new SalonError('usage', `Job ${id} is ${kind}, not a bulk edit.`, {
    hint: `Show it: salon jobs show ${id}`,
  });
}

export function openJobPlan(root: string, id: string): Promise<Plan> {
  return openPlan(jobPlanPath(root, id));
}

export function jobPlanPath(root: string, id: string): string {
  return join(jobPath(root, id), planName);
}

const planName = 'plan.json';

/** What the rows of a plan may do. */
function actsOf(head: PlanHead): readonly PlannedRow['act'][] {
  const { verb } = head.edit;
  if (verb !== 'import') return [verb];
  return findUndoneJob(head) === undefined ? ['create', 'update'] : ['create', 'update', 'delete'];
}

const verbsOf = { create: 'adds', update: 'changes', delete: 'deletes' };

/**
 * Why a row read from a file does not belong in its plan; undefined if it does. A digest does not help
 * against an edit that also recalculates it.
 */
function findRowFault(
  { row, line, act, id, change, before }: PlannedRow,
  { acts, after }: { readonly acts: readonly PlannedRow['act'][]; readonly after: number },
): string | undefined {
  if (!Number.isInteger(row) || !Number.isInteger(line) || row <= after) return 'is out of order';
  if (act === 'none' || act === 'refused') return undefined;
  if (!acts.includes(act)) {
    const does = Object.hasOwn(verbsOf, act) ? verbsOf[act] : 'does something to';
    return `${does} a record, but the plan ${acts.map((one) => verbsOf[one as keyof typeof verbsOf]).join(' and ')} records`;
  }
  if (act !== 'delete' && !isFields(change)) return 'has no values';
  if (act === 'create') return undefined;
  return isFields(before) && id !== null && keyOf(before) === id
    ? undefined
    : 'is for another record than it shows';
}
