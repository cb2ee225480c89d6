import { toVerbName } from '../../../bulk/input/edit-fields.ts';
import type { Job } from '../../../bulk/jobs/job.ts';
import { hasJob, type JobStatus, readDamagedStatus, readJob } from '../../../bulk/jobs/job-folder.ts';
import type { Fields } from '../../../client/json-object.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { Handler } from '../../action-runner.ts';
import type { PrintFlags } from '../../flags/options.ts';
import { jobsFolder } from '../../folders.ts';
import { columnSet, columnsOf } from '../../output/columns.ts';

export const showJob: Handler<PrintFlags, [id: string]> = async ({ io }, id) => {
  const root = jobsFolder(io);
  if (!(await hasJob(root, id))) await readJob(root, id);
  const record = await describeJob(root, id);
  const all = columnsOf(record, times);
  return { show: 'record', record, columns: { all, table: all.map(({ key }) => key) } };
};

const times = columnSet({ started: 'instant', ended: 'instant' });

/** A job with its status. If its file is damaged, only the status is known. */
export async function describeJob(root: string, id: string): Promise<Fields> {
  const status = await readDamagedStatus(root, id);
  try {
    return describe(await readJob(root, id), status);
  } catch (error) {
    if (!(error instanceof SalonError)) throw error;
    const unknown = { id, kind: null, state: 'damaged', started: null, rows: status.rows };
    return { ...unknown, total: status.total, output: null, source: null, reason: error.message };
  }
}

function describe(job: Job, { state, rows, total, endedAt, reason, tally }: JobStatus): Fields {
  const { id, kind, createdAt, profile, origin } = job;
  const begun = { id, kind, state, started: createdAt, ended: endedAt, rows };
  if (job.kind !== 'export') {
    const { undoes, changes } = job.work;
    const about =
      job.kind === 'edit'
        ? { list: job.work.edit.noun, verb: toVerbName(job.work.edit) }
        : { list: 'clients', verb: undoes === null ? 'merge' : 'unmerge' };
    const source = job.kind === 'edit' ? job.work.source : `${job.work.names.from} → ${job.work.names.into}`;
    const end = { undoes, ...tally, profile, origin };
    return { ...begun, total: changes, output: null, source, reason, ...about, ...end };
  }
  const { noun, query, layout, output } = job.work;
  return { ...begun, total, output, source: null, reason, list: noun, query, layout, profile, origin };
}
