import { createHash } from 'node:crypto';
import { SalonError } from '../../contract/errors.ts';
import type { PlanCounts, PlannedRow } from '../edit/planned-row.ts';
import {
  beginning,
  isLastLine,
  type PlanHead,
  parseCounts,
  parseHead,
  parseRow,
  renderSeal,
  splitSeal,
} from './plan-form.ts';
import { readLines } from './read-lines.ts';

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
