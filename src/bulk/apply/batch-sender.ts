import type { SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/json-object.ts';
import { othersRefused } from '../../client/resources/appointments.ts';
import type { Written } from '../../client/resources/response-record.ts';
import { SalonError } from '../../contract/errors.ts';
import { once } from '../concurrent.ts';
import type { EditJob } from '../jobs/job.ts';
import type { Plan } from '../plan/plan-file.ts';
import { isSent, type PlannedRow } from '../plan/plan-format.ts';
import type { OpenStepJob } from './step-job.ts';

/**
 * Books the appointments of a job in one request, and gives each row its own result. The request and its key are always
 * the same, so that the service executes it once, however often it is sent.
 */
export function createBatchSender(
  { job, plan, progress }: OpenStepJob<EditJob, Plan>,
  { appointments }: SalonClient,
): (row: PlannedRow) => Promise<Written<Fields>> {
  const { onConflict } = job.work.edit;
  // The service keeps no refusals: by now it might book what an earlier run has reported as refused.
  const wasRefused = onConflict === 'refuse' && (progress.tally.failed ?? 0) > 0;
  const book = once(async () => {
    const rows = (await Array.fromAsync(plan.rows())).filter(isSent);
    const bookings = rows.map(({ change = {} }) => change);
    const results = await appointments.createMany(bookings, { onConflict, idempotencyKey: job.id });
    return new Map(rows.map(({ row }, at) => [row, results[at]]));
  });
  return async ({ row }) => {
    const result = wasRefused ? undefined : (await book()).get(row);
    if (result === undefined) throw new SalonError('bookings_refused', othersRefused);
    if ('problem' in result) throw result.problem;
    const record = { ...result.appointment };
    return { outcome: 'done', id: record.id, record, etag: undefined };
  };
}
