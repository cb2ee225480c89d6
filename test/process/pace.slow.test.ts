import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRateLedger } from '../../src/cli/session/server-state.ts';
import { emptyObservation } from '../../src/client/rate-limit/limit-observation.ts';
import { createFixedWindowService } from '../support/limited-service.ts';
import { json, openMisbehavingServer } from '../support/misbehaving-server.ts';
import { finish } from '../support/salon-process.ts';
import { bySpeed } from '../support/speed.ts';

const rounds = bySpeed({ full: 1, long: 12 });
/** What each process sends: two windows, or three. */
const requestsEach = bySpeed({ full: 25, long: 50 });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'salon-ledger-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function start(script: string, argv: readonly string[]) {
  return spawn(process.execPath, [join(import.meta.dirname, '../support', script), ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** A server with a real limit and a short real window, in which no process may be held up longer than the window. */
function openLimitedServer(limit: number, windowMs: number) {
  const service = createFixedWindowService({ limit, windowMs, startMs: Date.now() });
  const server = openMisbehavingServer(() => {
    const nowMs = Date.now();
    const served = service.serve(nowMs);
    const resetSeconds = Math.floor(((served.limit?.resetAtMs ?? nowMs) - nowMs) / 1000);
    const headers = {
      'ratelimit-policy': `"short";q=${limit};w=${windowMs / 1000}`,
      ratelimit: `"short";r=${served.limit?.remaining};t=${resetSeconds}`,
    };
    return json({ id: 'cli_1' }, { status: served.isRefused ? 429 : 200, headers });
  });
  return { service, server };
}

describe('processes that share a rate ledger', () => {
  it('stay within the limit over several windows', async () => {
    const { service, server: opening } = openLimitedServer(80, 5_000);
    await using server = await opening;
    const children = [1, 2, 3, 4].map(() =>
      start('send-at-pace.ts', [server.origin, folder, String(requestsEach)]),
    );
    const ended = await Promise.all(children.map(finish));
    expect(ended.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      Array(4).fill({ exitCode: 0, stderr: '' }),
    );
    expect(service.servedAtMs).toHaveLength(4 * requestsEach);
    expect(service.refusals()).toBe(0);
  });

  it('continue within two seconds after others were killed at any moment', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const children = [1, 2, 3].map(() => start('keep-taking.ts', [folder]));
      await Promise.all(children.map((child) => once(child.stdout, 'data')));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map((child) => once(child, 'close')));
      const warnings: string[] = [];
      const ledger = openRateLedger({
        folder,
        origin: 'http://salon.test',
        owner: 'acc_1',
        name: `round-${round}`,
        perHour: 10 ** 9,
        now: Date.now,
        warn: (text) => warnings.push(text),
      });
      expect(
        (await ledger.take({ ended: 0, pending: 0, observation: emptyObservation })).count,
      ).toBeGreaterThan(0);
      await ledger.close({ ended: 0, pending: 0, observation: emptyObservation });
      expect(warnings).toEqual([]);
    }
  });
});
