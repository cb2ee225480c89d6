import { isFailed, readRowResults, toResultRow } from '../../bulk/apply/results.ts';
import type { Row } from '../../bulk/export/write-pages.ts';
import { journalPath } from '../../bulk/jobs/job-folder.ts';
import { openJobPlan, readEditJob } from '../../bulk/plan/plan-folder.ts';
import type { RecordPage } from '../output/command-result.ts';

const rowsPerPage = 200;

/** What became of the rows of a bulk edit, a page at a time. */
export async function readJobResults(
  root: string,
  id: string,
  { isFailedOnly }: { readonly isFailedOnly: boolean },
): Promise<AsyncIterable<RecordPage>> {
  await readEditJob(root, id);
  const plan = await openJobPlan(root, id);
  return readPages();

  async function* readPages(): AsyncGenerator<RecordPage> {
    let rows: Row[] = [];
    for await (const result of readRowResults(plan.rows(), journalPath(root, id))) {
      if (isFailedOnly && !isFailed(result) && result.outcome?.what !== 'doubtful') continue;
      rows.push({ ...toResultRow(result) });
      if (rows.length < rowsPerPage) continue;
      yield { rows };
      rows = [];
    }
    yield { rows };
  }
}
