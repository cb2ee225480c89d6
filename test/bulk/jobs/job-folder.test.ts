import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDraftFolder } from '../../../src/bulk/jobs/job-folder.ts';
import { refusal } from '../../support/open-client.ts';

it('a folder of jobs that cannot be created is reported with its path', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'salon-jobs-'));
  writeFileSync(join(folder, 'data'), '');
  const root = join(folder, 'data', 'jobs');
  const error = await refusal(createDraftFolder(root, '20261122-080000-0a1b2c'));
  rmSync(folder, { recursive: true });
  expect(error).toMatchObject({ code: 'usage', message: expect.stringContaining(root) });
});
