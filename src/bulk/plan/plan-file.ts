import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isFields } from '../../client/json-object.ts';
import { keyOf } from '../../client/pagination/page.ts';
import { SalonError } from '../../contract/errors.ts';
import { createPartialFile } from '../export/partial-file.ts';
import { type EditOperation, isOperation } from '../input/edit-fields.ts';
import { systemCodeOf } from '../jobs/file-access.ts';
import type { EditJob, MergeJob } from '../jobs/job.ts';
import { createDraftFolder, createJobId, jobPath, readJob } from '../jobs/job-folder.ts';
import {
  createPlanCounter,
  findUndoneJob,
  isLastLine,
  type PlanEnd,
  type PlanHead,
  type PlannedRow,
  parseEnd,
  parseHead,
  parseRow,
  planPrefix,
  renderDigest,
  renderEnd,
  renderHead,
  renderRow,
  splitLastLine,
} from './plan-format.ts';

/** A plan on disk. */
export interface Plan extends PlanEnd {
  readonly path: string;
  readonly head: PlanHead;
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
      if (lines === 0) first = requireFirst(line, path);
      hash.update(last);
      last = line;
      lines += 1;
    }
  }
  const end = splitLastLine(last);
  if (lines === 0) throw unusable(path, 'it is empty');
  if (end === undefined) throw unusable(path, `it was truncated or edited at line ${lines}`);
  const [covered, digest] = end;
  hash.update(covered);
  const sha256 = hash.digest('hex');
  if (digest !== renderDigest(sha256)) throw unusable(path, 'it was edited');
  const head = parseHead(first);
  if (!isOperation(head.edit)) throw unusable(path, 'it does something that salon cannot do');
  return toPlan(path, { head, ...parseEnd(covered), sha256 });
}

/** The plan in a file: its path may have changed since it was written. */
export function toPlan(
  path: string,
  { head, counts, doubt, sha256 }: Pick<Plan, 'head' | 'counts' | 'doubt' | 'sha256'>,
): Plan {
  return { path, head, counts, doubt, sha256, rows: () => readRows(path, head) };
}

async function* readRows(path: string, { edit }: PlanHead): AsyncGenerator<PlannedRow> {
  let number = 0;
  let last = 0;
  for await (const block of readLines(path)) {
    for (const line of block) {
      number += 1;
      if (number === 1) continue;
      if (isLastLine(line)) return;
      const row = parseRow(line);
      if (row === undefined) throw unusable(path, `it changed while in use, at line ${number}`);
      const fault = findRowFault(row, { verb: edit.verb, after: last });
      if (fault !== undefined) throw unusable(path, `line ${number} ${fault}`);
      last = row.row;
      yield row;
    }
  }
}

function requireFirst(line: string, path: string): string {
  if (line.startsWith(planPrefix.current)) return line;
  const isPlan = line.startsWith(planPrefix.any);
  throw unusable(path, isPlan ? 'another version of salon wrote it' : 'line 1 does not start a salon plan');
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
      if (rest.length > maxLineLength) throw unreadable(path, 'its lines are too long');
      yield lines.map((line) => `${line}\n`);
    }
  } catch (error) {
    if (error instanceof SalonError || systemCodeOf(error) === undefined) throw error;
    throw unreadable(path, systemCodeOf(error) === 'ENOENT' ? 'no such file' : String(error));
  }
  if (rest !== '') yield [rest];
}

function unreadable(path: string, reason: string): SalonError {
  return new SalonError('usage', `Cannot read plan ${path}: ${reason}.`, {
    hint: 'Use a file written by --plan-file. A job without its plan cannot be resumed.',
  });
}

/** Characters written at once. */
const blockLength = 65_536;

/**
 * Writes a plan completely or not at all, in bounded memory. It contains records, so only its owner may read it.
 * Throws `output_failed`, and what `rows` throws. `findDoubt` is called after the last row.
 */
export async function writePlan(
  path: string,
  head: PlanHead,
  rows: Iterable<PlannedRow> | AsyncIterable<PlannedRow>,
  findDoubt: () => string | undefined = () => undefined,
): Promise<Plan> {
  const file = await createPartialFile({ path, realPath: path, mode: 0o600 }, `plan-${randomUUID()}`);
  const hash = createHash('sha256');
  const counter = createPlanCounter({ restores: findUndoneJob(head) !== undefined });
  let block = '';

  async function write(text: string, most = blockLength): Promise<void> {
    block += text;
    if (block.length < most) return;
    hash.update(block);
    await file.write(block);
    block = '';
  }

  try {
    await write(renderHead(head));
    let isFirst = true;
    for await (const row of rows) {
      await write(renderRow(row, { isFirst }));
      counter.add(row);
      isFirst = false;
    }
    const end = { counts: counter.counts(), doubt: findDoubt() };
    await write(renderEnd(end), 0);
    const sha256 = hash.digest('hex');
    await file.write(renderDigest(sha256));
    await file.commit();
    return toPlan(path, { head, ...end, sha256 });
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

const verbsOf = { create: 'adds', update: 'changes', delete: 'deletes' } as const;

/**
 * Why a row read from a file does not belong in its plan; undefined if it does. A digest does not help
 * against an edit that also recalculates it.
 */
function findRowFault(
  { row, line, act, id, change, before }: PlannedRow,
  { verb, after }: { readonly verb: EditOperation['verb']; readonly after: number },
): string | undefined {
  if (!Number.isInteger(row) || !Number.isInteger(line) || row <= after) return 'is out of order';
  if (act === 'none' || act === 'refused') return undefined;
  if (act !== verb) {
    const does = Object.hasOwn(verbsOf, act) ? verbsOf[act] : 'does something to';
    return `${does} a record, but the plan ${verbsOf[verb]} records`;
  }
  if (act !== 'delete' && !isFields(change)) return 'has no values';
  if (act === 'create') return undefined;
  return isFields(before) && id !== null && keyOf(before) === id
    ? undefined
    : 'is for another record than it shows';
}
