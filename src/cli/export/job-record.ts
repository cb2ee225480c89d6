import { readJob } from '../../bulk/jobs/job-folder.ts';
import { readStanding } from '../../bulk/standing.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Row } from '../print/printer.ts';

/** A job as people see it. One whose own file is damaged is shown as far as it is known. */
export async function describeJob(root: string, id: string): Promise<Row> {
  const { state, rows, total, endedAt, reason } = await readStanding(root, id);
  try {
    const { kind, createdAt, profile, origin, work } = await readJob(root, id);
    const { noun, query, layout, output } = work;
    const started = { id, kind, state, started: createdAt, ended: endedAt, rows, total, output };
    return { ...started, reason, list: noun, query, layout, profile, origin };
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    return {
      id,
      kind: null,
      state: 'failed',
      started: null,
      rows,
      total,
      output: null,
      reason: error.message,
    };
  }
}
