import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readHar } from '../support/har.ts';
import { hang, json, openMisbehavingServer } from '../support/misbehaving-server.ts';
import { createHome, finish, runOnSmallDisk, startSalon } from '../support/salon-process.ts';
import { until } from '../support/until.ts';

const traced = ['clients', 'list', '--trace', 'trace.har'];

it('a trace is complete when a second Ctrl-C ends the process', async () => {
  await using server = await openMisbehavingServer(() => hang);
  using home = createHome();
  const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', SALON_DATA_DIR: 'data' };
  const child = startSalon(traced, { home, env });
  const finished = finish(child);
  await until(() => server.received.length > 0);
  child.kill('SIGINT');
  if (child.stderr !== null) await once(child.stderr, 'data');
  // Two signals within 250 ms count as one.
  await wait(300);
  child.kill('SIGINT');
  expect(await finished).toMatchObject({ exitCode: 130 });
  expect(readHar(home.folder)).toMatchObject([{ _error: 'No response yet.' }]);
  expect(readdirSync(home.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('a trace that does not fit on the disk is a warning, and leaves nothing', async () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => ({ id: `cli_${index}`, status: 'x'.repeat(40) }));
  await using server = await openMisbehavingServer(() =>
    json({ data: rows, pagination: { page: 1, per_page: 1_000, total: 1_000 } }),
  );
  using home = createHome();
  const env = {
    SALON_BASE_URL: server.origin,
    SALON_API_KEY: 'k',
    SALON_CONFIG_DIR: 'c',
    SALON_DATA_DIR: 'data',
  };
  const ran = await runOnSmallDisk([...traced, '-c', 'id'], { home, env });
  expect(ran.stdout.trim().split('\n')).toHaveLength(1_001);
  expect(ran.stderr).toContain('warning: The trace is not saved. Cannot write');
  expect(readdirSync(home.folder).filter((name) => /trace|\.tmp$/.test(name))).toEqual([]);
});
