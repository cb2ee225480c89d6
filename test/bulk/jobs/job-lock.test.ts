import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireJobLock, isJobLocked } from '../../../src/bulk/jobs/job-lock.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'salon-hold-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** A process of its own that takes hold of the folder, says so, and stays. */
async function startHolder(path: string) {
  const script = JSON.stringify(join(import.meta.dirname, '../../../src/bulk/jobs/job-lock.ts'));
  const code = `
    const { acquireJobLock } = await import(${script});
    const hold = await acquireJobLock(${JSON.stringify(path)});
    console.log(hold === undefined ? 'refused' : 'held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: said.toString().trim() };
}

describe('the hold on a job', () => {
  it('is had by one alone, until it is let go', async () => {
    expect(await isJobLocked(folder)).toBe(false);
    {
      await using hold = await acquireJobLock(folder);
      expect(hold).toBeDefined();
      expect(await isJobLocked(folder)).toBe(true);
      expect(await acquireJobLock(folder)).toBeUndefined();
    }
    expect(await isJobLocked(folder)).toBe(false);
    await using again = await acquireJobLock(folder);
    expect(again).toBeDefined();
  });

  it('is had by exactly one of many who come at once', async () => {
    const holds = await Promise.all(Array.from({ length: 12 }, () => acquireJobLock(folder)));
    const had = holds.filter((hold) => hold !== undefined);
    expect(had).toHaveLength(1);
    await had[0]?.[Symbol.asyncDispose]();
  });

  it('of another process ends when that is killed, and then one of many has it', async () => {
    const { child, said } = await startHolder(folder);
    expect(said).toBe('held');
    expect(await acquireJobLock(folder)).toBeUndefined();
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await isJobLocked(folder)).toBe(false);
    const holds = await Promise.all(Array.from({ length: 12 }, () => acquireJobLock(folder)));
    const had = holds.filter((hold) => hold !== undefined);
    expect(had).toHaveLength(1);
    await had[0]?.[Symbol.asyncDispose]();
  });

  it.skipIf(process.platform === 'win32')('of a process that is halted lasts', async () => {
    const { child } = await startHolder(folder);
    child.kill('SIGSTOP');
    expect(await isJobLocked(folder)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'close');
  });

  it('works in a folder whose path is longer than a socket’s may be', async () => {
    const long = mkdtempSync(join(folder, 'x'.repeat(120)));
    await using hold = await acquireJobLock(long);
    expect(hold).toBeDefined();
    expect(await isJobLocked(long)).toBe(true);
  });
});
