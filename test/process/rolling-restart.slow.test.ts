import { describe, expect, it } from 'vitest';
import { createEmptyDatabase } from '../support/database.ts';
import { createHome } from '../support/salon-process.ts';
import { isLong } from '../support/speed.ts';
import { keepAsking, startWorkers } from '../support/worker-service.ts';

describe('a rolling restart', () => {
  it('replaces all workers under load without a failed request', async () => {
    using home = createHome();
    await using empty = await createEmptyDatabase(`${home.folder}/salon.db`);
    const { child, ended, key, origin, find } = await startWorkers(home, empty.location);
    const stop = new AbortController();
    const asking = Promise.all(Array.from({ length: 4 }, () => keepAsking(origin, key, stop.signal)));
    const restarts = isLong ? 10 : 1;
    for (let count = 1; count <= restarts; count += 1) {
      child.kill('SIGUSR2');
      await expect.poll(() => find('workers restarted').length, { timeout: 170_000 }).toBe(count);
    }
    stop.abort();
    const outcomes = await asking;
    expect(new Set(outcomes.flatMap((one) => Object.keys(one)))).toEqual(new Set(['200', '201']));
    expect(find('worker replaced')).toHaveLength(2 * restarts);
    expect(new Set(find('worker started').map(({ worker }) => worker)).size).toBe(2 + 2 * restarts);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});
