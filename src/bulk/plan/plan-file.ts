import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { SalonError } from '../../contract/errors.ts';
import { createPartialFile } from '../export/partial-file.ts';
import { systemCodeOf } from '../jobs/file-access.ts';
import {
  beginning,
  isLastLine,
  type PlanHead,
  parseCounts,
  parseHead,
  parseRow,
  renderCounts,
  renderHead,
  renderRow,
  renderSeal,
  splitSeal,
} from './plan-format.ts';
import { createPlanCounter, type PlanCounts, type PlannedRow } from './planned-row.ts';

/** A plan that was written down. */
export interface Plan {
  readonly path: string;
  readonly head: PlanHead;
  readonly counts: PlanCounts;
  /** What tells it from every other plan. */
  readonly sha256: string;
  /** Reads the rows, in the order of the sheet; they may be asked for again. */
  rows(): AsyncGenerator<PlannedRow>;
}

/**
 * Reads a plan in bounded memory. A plan is exactly what was seen, so one that was cut off or changed by so much as
 * a byte is refused: throws `usage`, naming the file, and the line where that can be told.
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
  const end = splitSeal(last);
  if (lines === 0) throw refused(path, 'it is empty');
  if (end === undefined) throw refused(path, `it was cut off, or changed by hand, at line ${lines}`);
  const [covered, seal] = end;
  hash.update(covered);
  const sha256 = hash.digest('hex');
  if (seal !== renderSeal(sha256)) throw refused(path, 'it is not as it was written');
  return { path, head: parseHead(first), counts: parseCounts(covered), sha256, rows: () => readRows(path) };
}

/** The same plan where its file was moved to. */
export function toMovedPlan(plan: Plan, path: string): Plan {
  return { ...plan, path, rows: () => readRows(path) };
}

async function* readRows(path: string): AsyncGenerator<PlannedRow> {
  let number = 0;
  for await (const block of readLines(path)) {
    for (const line of block) {
      number += 1;
      if (number === 1) continue;
      if (isLastLine(line)) return;
      const row = parseRow(line);
      if (row === undefined) throw refused(path, `it has changed while it was in use, at line ${number}`);
      yield row;
    }
  }
}

function requireFirst(line: string, path: string): string {
  if (line.startsWith(beginning.own)) return line;
  const isPlan = line.startsWith(beginning.every);
  throw refused(path, isPlan ? 'it is of another salon version' : 'line 1 is not how a plan of salon begins');
}

function refused(path: string, reason: string): SalonError {
  return new SalonError('usage', `${path} cannot be used as a plan: ${reason}.`, {
    hint: 'Make the plan again: a plan is carried out exactly as it was shown, or not at all.',
  });
}

/** Characters that are handed to the system at once. */
const blockLength = 65_536;

/**
 * Writes a plan, whole or not at all, in memory that does not grow with its rows. It holds records, so its owner
 * alone may read it. Throws `output_failed`, and whatever `rows` throws.
 */
export async function writePlan(
  path: string,
  head: PlanHead,
  rows: AsyncIterable<PlannedRow>,
): Promise<PlanCounts> {
  const file = await createPartialFile({ path, realPath: path, mode: 0o600 }, `plan-${randomUUID()}`);
  const hash = createHash('sha256');
  const counting = createPlanCounter();
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
      counting.add(row);
      isFirst = false;
    }
    await write(renderCounts(counting.counts()), 0);
    await file.write(renderSeal(hash.digest('hex')));
    await file.commit();
    return counting.counts();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** Longer lines are no lines of ours. */
const longestLine = 16 * 1_048_576;

/**
 * Lines of a plan in UTF-8, some at a time, each with the break at its end: a line without one is the last and was
 * cut off. Throws `usage` where the file cannot be read.
 */
export async function* readLines(path: string): AsyncGenerator<readonly string[]> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
      const [first = '', ...others]: string[] = chunk.split('\n');
      const lines = [rest + first, ...others];
      rest = lines.pop() ?? '';
      if (rest.length > longestLine) throw unreadable(path, 'its lines are too long');
      yield lines.map((line) => `${line}\n`);
    }
  } catch (error) {
    if (error instanceof SalonError || systemCodeOf(error) === undefined) throw error;
    throw unreadable(path, systemCodeOf(error) === 'ENOENT' ? 'it is not there' : String(error));
  }
  if (rest !== '') yield [rest];
}

function unreadable(path: string, reason: string): SalonError {
  return new SalonError('usage', `${path} cannot be read: ${reason}.`, {
    hint: 'Name a file that --plan-file wrote; a job whose own plan is gone cannot be gone on with.',
  });
}
