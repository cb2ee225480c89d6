// Run as a process of its own: changes a ledger for ever, or stops for good in the middle of a change.
import { writeSync } from 'node:fs';
import { openRateLedger } from '../../src/cli/session/rate-ledger.ts';
import { openVersionedFile } from '../../src/cli/session/versioned-file.ts';
import { emptySight } from '../../src/client/rate-limit/limit-observation.ts';

const [folder = '', what = ''] = process.argv.slice(2);

if (what === 'stop') {
  openVersionedFile(folder, { name: 'stopped', now: Date.now }).update(() => {
    writeSync(1, 'in the middle\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return { text: '', result: undefined };
  });
}

const ledger = openRateLedger({
  folder,
  origin: 'http://salon.test',
  owner: 'acc_1',
  name: `busy-${process.pid}`,
  perHour: 10 ** 9,
  now: Date.now,
  explain: (text) => writeSync(2, text),
});
for (let turn = 0; ; turn += 1) {
  await ledger.take({ ended: 1, underWay: 0, sight: emptySight });
  if (turn === 0) writeSync(1, 'busy\n');
}
