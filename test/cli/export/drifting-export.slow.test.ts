import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDriftingList, type Drift } from '../../support/drifting-list.ts';
import type { ListMetadata } from '../../support/drifting-pages.ts';
import { openDriftingServer } from '../../support/drifting-server.ts';
import { createMachine } from '../../support/io.ts';
import { body } from '../../support/misbehaving-server.ts';
import { bySpeed } from '../../support/speed.ts';

const still: Drift = { seed: 1, rows: 400, changes: 'none', rate: 0.4, burst: 2, ids: 'ascending' };
const runs = bySpeed({ full: 12, long: 300 });

/** Exports a list that keeps changing, and resumes after every failure. Returns the IDs in the file. */
async function exportThrough(drift: Drift, metadata: ListMetadata, failures: readonly number[]) {
  const list = createDriftingList(drift);
  const failing = new Set(failures);
  let requests = 0;
  await using server = await openDriftingServer(list, {
    metadata,
    mostPerPage: 20,
    failing: () => (failing.has(++requests) ? body('', { status: 500 }) : undefined),
  });
  using machine = createMachine({
    env: { SALON_DATA_DIR: 'data', SALON_API_KEY: 'k', SALON_BASE_URL: server.origin },
  });
  let ran = await machine.salon('clients list -o out.ndjson --retries 0'.split(' '));
  for (let tries = 0; ran.exitCode !== 0 && tries <= failures.length; tries += 1) {
    const [, id] = /salon jobs resume ([\w-]+)/.exec(ran.stderr) ?? [];
    const argv = id === undefined ? ['clients', 'list', '-o', 'out.ndjson'] : ['jobs', 'resume', id];
    ran = await machine.salon([...argv, '--retries', '0']);
  }
  expect(ran.exitCode, ran.stderr).toBe(0);
  const lines = readFileSync(`${machine.home}/out.ndjson`, 'utf8').trimEnd().split('\n');
  return { ids: lines.map((line) => JSON.parse(line).id as string), stable: list.stable() };
}

describe('an export that is interrupted repeatedly', () => {
  it.each([
    ['versions and cursors', ['deletions', 'insertions', 'mixed', 'balanced']],
    ['total', ['deletions', 'insertions']],
  ] as const)(
    'has every remaining row exactly once while the list changes (server sends %s)',
    { timeout: 600_000 },
    async (metadata, changes) => {
      const drifts = fc.record({
        seed: fc.integer({ min: 1, max: 2 ** 31 }),
        changes: fc.constantFrom(...changes),
        ids: fc.constantFrom('ascending', 'scattered'),
      });
      const failures = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(drifts, failures, async (drift, failing) => {
          const { ids, stable } = await exportThrough({ ...still, ...drift }, metadata, failing);
          const given = new Set(ids);
          expect(ids).toHaveLength(given.size);
          expect(stable.filter((id) => !given.has(id))).toEqual([]);
        }),
        { numRuns: runs },
      );
    },
  );
});
