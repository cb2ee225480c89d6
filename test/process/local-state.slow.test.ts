import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFile, openLocalState } from '../../src/local-state/local-state.ts';
import { refusal } from '../support/open-client.ts';
import { finish } from '../support/salon-process.ts';
import { bySpeed } from '../support/speed.ts';

const processes = bySpeed({ full: 6, long: 100 });
const changesEach = 5;
/** How often a file is locked by each. */
const locksEach = bySpeed({ full: 10, long: 30 });
const script = join(import.meta.dirname, '../support/change-state.ts');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'salon-state-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function start(action: string, times = changesEach) {
  return spawn(process.execPath, [script, folder, action, String(times)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

describe('a state file', () => {
  it(`loses no change of ${processes} processes at once`, async () => {
    const ended = await Promise.all(Array.from({ length: processes }, () => finish(start('count'))));
    expect(new Set(ended.map(({ exitCode, stderr }) => `${exitCode} ${stderr}`))).toEqual(new Set(['0 ']));
    using state = await openLocalState(folder);
    expect(state.read('count')).toBe(processes * changesEach);
  });

  it('is free at once after a process is killed during a change, which is rolled back', async () => {
    const child = start('hang in a change');
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    using state = await openLocalState(folder);
    state.write('count', 1);
    expect([state.read('count'), state.read('other')]).toEqual([1, 'x']);
  });

  it('fails after a bounded time while a process is stopped in a change', async () => {
    const child = start('hang in a change');
    await once(child.stdout, 'data');
    child.kill('SIGSTOP');
    const error = await refusal(
      (async () => {
        using state = await openLocalState(folder, { busyTimeoutMs: 100 });
        state.write('count', 1);
      })(),
    );
    expect(error).toMatchObject({ code: 'output_failed', message: expect.stringContaining('is locked') });
    child.kill('SIGKILL');
    await once(child, 'close');
  });

  it.skipIf(process.platform === 'win32')('keeps the last value on a full disk', async () => {
    // To the process, a file size limit is a full disk.
    const limited = `trap '' XFSZ; ulimit -f 40; exec "$0" "$@"`;
    const child = spawn('bash', ['-c', limited, process.execPath, script, folder, 'grow'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { exitCode, stderr } = await finish(child);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining('output_failed') });
    using state = await openLocalState(folder);
    expect(state.read('text')).toMatch(/^(x{1000})+$/);
    state.write('text', 'y');
    expect(state.read('text')).toBe('y');
  });
});

describe('a lock', () => {
  it('is taken over by one of many as soon as its process is killed', async () => {
    const child = start('lock');
    expect(String((await once(child.stdout, 'data'))[0])).toBe('locked\n');
    using state = await openLocalState(folder);
    expect(await state.acquireLock('job')).toBeUndefined();
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(await state.isLocked('job')).toBe(false);
    const locks = await Promise.all(Array.from({ length: 12 }, () => state.acquireLock('job')));
    const acquired = locks.filter((lock) => lock !== undefined);
    expect(acquired).toHaveLength(1);
    await acquired[0]?.[Symbol.asyncDispose]();
  });

  it(`is acquired by one of ${processes} processes at once`, async () => {
    const children = Array.from({ length: processes }, () => start('lock'));
    const written = await Promise.all(
      children.map(async ({ stdout }) => String((await once(stdout, 'data'))[0])),
    );
    expect(written.filter((text) => text === 'locked\n')).toHaveLength(1);
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map((child) => once(child, 'close')));
  });

  it.skipIf(process.platform === 'win32')('lasts while its process is stopped', async () => {
    const child = start('lock');
    await once(child.stdout, 'data');
    child.kill('SIGSTOP');
    using state = await openLocalState(folder);
    expect(await state.isLocked('job')).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'close');
  });
});

describe('a locked file', () => {
  it('has one holder at a time while many lock and release it', async () => {
    const file = join(folder, 'count');
    writeFileSync(file, '0');
    const ended = await Promise.all(
      Array.from({ length: 8 }, () => finish(start('count in a locked file', locksEach))),
    );
    expect(new Set(ended.map(({ exitCode, stderr }) => `${exitCode} ${stderr}`))).toEqual(new Set(['0 ']));
    expect(readFileSync(file, 'utf8')).toBe(String(8 * locksEach));
    expect(readdirSync(folder)).toEqual(['count']);
  });

  it('is free as soon as its process is killed, and not before, though nothing refers to the lock', async () => {
    const child = start('lock a file');
    await once(child.stdout, 'data');
    expect(await lockFile(join(folder, 'locked'))).toBeUndefined();
    child.kill('SIGKILL');
    await once(child, 'close');
    await using lock = await lockFile(join(folder, 'locked'));
    expect(lock).toBeDefined();
    expect(await lockFile(join(folder, 'locked'))).toBeUndefined();
  });
});
