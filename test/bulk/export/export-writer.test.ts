import { expect, it } from 'vitest';
import { createExportWriter, type ExportRecord } from '../../../src/bulk/export/export-writer.ts';
import type { PartialFile } from '../../../src/bulk/jobs/partial-file.ts';

it('an export is on disk before its journal says that it is complete', async () => {
  const steps: string[] = [];
  const note = async (step: string) => void steps.push(step);
  const file = { write: () => note('write'), sync: () => note('sync') } as unknown as PartialFile;
  const journal = {
    append: ({ type }: { readonly type: string }) => note(type),
    commit: () => note('commit'),
  };
  const record = { id: 'job', journal } as unknown as ExportRecord;
  const writer = createExportWriter({ file, createRecord: async () => record, nowMs: () => 0 });
  for (const id of ['a', 'b']) {
    const place = { total: undefined, version: undefined, resume: undefined };
    await writer.write({ chunk: `${id}\n`, rows: [{ id }], written: 1, ...place });
  }
  await writer.complete('', undefined);
  expect(steps).toEqual(['write', 'page', 'write', 'page', 'write', 'sync', 'complete', 'commit']);
});
