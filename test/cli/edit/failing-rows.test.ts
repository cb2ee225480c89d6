import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const mostFailures = 2;

/** A job that stopped because half of its clients were deleted after planning. */
async function stopAtFailures(): Promise<string> {
  const ids = (await world.clients()).map(({ id }) => id);
  world.writeSheet(
    'notes.csv',
    ids.map((id) => ({ id, notes: 'planned' })),
  );
  await world.salon(['clients', 'update', '--file', 'notes.csv', '--plan-file', 'plan.json']);
  for (const id of ids.slice(0, ids.length / 2)) await world.client.clients.delete(id, { force: true });
  const argv = ['jobs', 'apply', 'plan.json', '--yes', '--concurrency', '1'];
  await world.salon([...argv, '--max-errors', String(mostFailures)]);
  const [job = ''] = world.jobs();
  return job;
}

async function countFailed(job: string): Promise<number> {
  return (await world.read<readonly object[]>(['jobs', 'results', job, '--failed'])).length;
}

describe('a job that stopped because too many rows failed', () => {
  it('may fail as many rows again when resumed', async () => {
    const job = await stopAtFailures();
    const before = await countFailed(job);
    const ran = await world.salon(['jobs', 'resume', job, '--concurrency', '1']);
    const failed = await countFailed(job);
    expect(failed).toBeGreaterThanOrEqual(before + mostFailures);
    expect(ran.stderr).toContain(`Stopped: ${failed} rows failed.`);
  });

  it('uses the limit given to resume', async () => {
    const job = await stopAtFailures();
    const ran = await world.salon(['jobs', 'resume', job, '--max-errors', '20', '--json']);
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect(JSON.parse(ran.stdout)).toMatchObject({ done: 10, left: 0 });
    const again = await world.salon(['jobs', 'resume', job]);
    expect(again).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('is done: 10 clients changed'),
    });
  });

  it('is listed as failed, and help explains how to resume it', async () => {
    const id = await stopAtFailures();
    expect(await world.read(['jobs', 'list'])).toMatchObject([{ id, state: 'failed' }]);
    const { stdout } = await world.salon(['jobs', 'list', '--help']);
    expect(stdout).toContain('select(.state != "done").id');
    expect(stdout).toMatch(/^ {2}failed .*salon jobs resume/m);
  });

  it('refuses an invalid limit', async () => {
    const job = await stopAtFailures();
    const ran = await world.salon(['jobs', 'resume', job, '--max-errors', 'many']);
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--max-errors needs') });
  });
});
