import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isJobLocked, lockJob } from '../../src/bulk/jobs/job-folder.ts';
import { openLocalState, toStatePath } from '../../src/local-state/local-state.ts';
import { refusal } from '../support/open-client.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'salon-state-'));
  folder = join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('local state', () => {
  it('keeps values by key', async () => {
    {
      using state = await openLocalState(folder);
      state.write('a/1', { text: 'x' });
      state.write('a/2', [1]);
      state.write('b', 7);
      state.write('a/2', undefined);
    }
    using state = await openLocalState(folder);
    expect(state.keys('a/')).toEqual(['a/1']);
    expect([state.read('a/1'), state.read('a/2'), state.read('b')]).toEqual([{ text: 'x' }, undefined, 7]);
  });

  it('keeps the old value when a change fails', async () => {
    using state = await openLocalState(folder);
    state.write('a', 1);
    const fail = () => {
      throw new RangeError('no');
    };
    expect(() => state.update('a', fail)).toThrow(RangeError);
    expect(state.update('a', (value) => ({ value: 2, result: value }))).toBe(1);
  });

  it('is never replaced when damaged, because that would drop locks', async () => {
    mkdirSync(folder);
    const noise = 'not a database '.repeat(100);
    writeFileSync(toStatePath(folder), noise);
    expect(await refusal(openLocalState(folder))).toMatchObject({
      code: 'usage',
      message: expect.stringContaining(`${toStatePath(folder)} is damaged`),
      hint: expect.stringContaining('move the file away'),
    });
    expect(readFileSync(toStatePath(folder), 'utf8')).toBe(noise);
  });

  it.skipIf(process.platform === 'win32')('is accessible to its owner only', async () => {
    using state = await openLocalState(folder);
    state.write('a', 1);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(toStatePath(folder)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['a file in place of the folder', () => rmSync(folder, { recursive: true }) ?? writeFileSync(folder, '')],
    ['a folder in place of the file', () => mkdirSync(toStatePath(folder))],
  ])('fails with the path for %s', async (_what, prepare) => {
    mkdirSync(folder);
    prepare();
    expect(await refusal(openLocalState(folder))).toMatchObject({
      code: 'output_failed',
      message: expect.stringContaining(toStatePath(folder)),
    });
  });
});

describe('a lock', () => {
  it('has one holder at a time', async () => {
    using state = await openLocalState(folder);
    expect(await state.isLocked('job')).toBe(false);
    {
      await using lock = await state.acquireLock('job');
      expect(lock).toBeDefined();
      expect(await state.isLocked('job')).toBe(true);
      expect(await state.isLocked('other')).toBe(false);
      expect(await state.acquireLock('job')).toBeUndefined();
    }
    expect(await state.isLocked('job')).toBe(false);
    await using again = await state.acquireLock('job');
    expect(again).toBeDefined();
  });

  it('leaves no file behind', async () => {
    using state = await openLocalState(folder);
    await (await state.acquireLock('job'))?.[Symbol.asyncDispose]();
    expect(readdirSync(folder)).toEqual(['.state.db']);
  });

  it('fails with `output_failed` in a folder where no file can be created', async () => {
    using state = await openLocalState(folder);
    rmSync(folder, { recursive: true });
    expect(await refusal(state.acquireLock('job'))).toMatchObject({ code: 'output_failed' });
  });
});

describe('the lock of a job', () => {
  const id = '20261121-091500-3fa2c1';
  beforeEach(() => mkdirSync(join(folder, id), { recursive: true }));

  it('has one holder at a time', async () => {
    expect(await isJobLocked(folder, id)).toBe(false);
    {
      await using _lock = await lockJob(folder, id);
      expect(await isJobLocked(folder, id)).toBe(true);
      expect(await refusal(lockJob(folder, id))).toMatchObject({ code: 'conflict' });
    }
    expect(await isJobLocked(folder, id)).toBe(false);
  });

  it('reads as free in a folder without a state file, and creates none', async () => {
    expect(await isJobLocked(folder, id)).toBe(false);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('cannot be acquired with a damaged state file', async () => {
    writeFileSync(toStatePath(folder), 'not a database '.repeat(100));
    expect(await isJobLocked(folder, id)).toBe(false);
    expect(await refusal(lockJob(folder, id))).toMatchObject({ code: 'usage' });
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('needs a writable folder', async () => {
    chmodSync(folder, 0o500);
    expect(await refusal(lockJob(folder, id))).toMatchObject({ code: 'output_failed' });
    chmodSync(folder, 0o700);
  });
});
