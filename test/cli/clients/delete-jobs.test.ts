import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { openSharedService } from '../../support/service.ts';

it('deleting a client removes local jobs beyond their retention', async () => {
  const service = await openSharedService({ clients: 1 });
  const env = { SALON_DATA_DIR: 'data', SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner };
  using machine = createMachine({ env, now: new Date('2026-11-22T08:00:00Z') });
  const jobs = join(machine.home, 'data', 'jobs');
  for (const id of ['20260801-080000-0a1b2c', '20261120-080000-0a1b2c']) {
    mkdirSync(join(jobs, id), { recursive: true });
  }
  const { stdout } = await machine.salon(['clients', 'list', '--json']);
  const [{ id }] = JSON.parse(stdout);
  expect(await machine.salon(['clients', 'delete', id, '--yes', '--force'])).toMatchObject({ exitCode: 0 });
  expect(readdirSync(jobs).filter((name) => name.startsWith('20'))).toEqual(['20261120-080000-0a1b2c']);
});
