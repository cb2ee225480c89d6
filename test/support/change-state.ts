// Run as a process: changes the state file of a folder in one of several ways.
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { lockFile, openLocalState } from '../../src/local-state/local-state.ts';

const [folder = '', action = '', times = '1'] = process.argv.slice(2);

const actions: Readonly<Record<string, () => Promise<void>>> = {
  /** Opens the file for each change, as commands do. */
  async count() {
    for (let done = 0; done < Number(times); done += 1) {
      using state = await openLocalState(folder);
      state.update('count', (value) => ({ value: Number(value ?? 0) + 1, result: undefined }));
    }
  },
  async 'hang in a change'() {
    using state = await openLocalState(folder);
    state.write('other', 'x');
    state.update('count', () => {
      writeSync(1, 'hanging\n');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      return { value: 0, result: undefined };
    });
  },
  async grow() {
    using state = await openLocalState(folder);
    for (let size = 1; size < 100; size += 1) state.write('text', 'x'.repeat(size * 1_000));
  },
  async 'count in a locked file'() {
    const file = join(folder, 'count');
    for (let done = 0; done < Number(times); ) {
      const lock = await lockFile(join(folder, 'locked'));
      if (lock === undefined) continue;
      const count = Number(readFileSync(file, 'utf8'));
      await setTimeout(1);
      writeFileSync(file, String(count + 1));
      await lock[Symbol.asyncDispose]();
      done += 1;
    }
  },
  async 'lock a file'() {
    const lock = await lockFile(join(folder, 'locked'));
    writeSync(1, lock === undefined ? 'refused\n' : 'locked\n');
    setInterval(() => new Array(10_000).fill(0), 1);
  },
  async lock() {
    const state = await openLocalState(folder);
    const lock = await state.acquireLock('job');
    writeSync(1, lock === undefined ? 'refused\n' : 'locked\n');
    setInterval(() => {}, 1_000);
  },
};
await actions[action]?.();
