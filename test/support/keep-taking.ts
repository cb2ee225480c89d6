// Run as a process: takes requests from a shared ledger until killed.
import { writeSync } from 'node:fs';
import { openRateLedger } from '../../src/cli/session/server-state.ts';
import { emptyObservation } from '../../src/client/rate-limit/limit-observation.ts';

const [folder = ''] = process.argv.slice(2);
const ledger = openRateLedger({
  folder,
  origin: 'http://salon.test',
  owner: 'acc_1',
  name: `busy-${process.pid}`,
  perHour: 10 ** 9,
  now: Date.now,
  warn: (text) => writeSync(2, text),
});
for (let turn = 0; ; turn += 1) {
  await ledger.take({ ended: 1, pending: 0, observation: emptyObservation });
  if (turn === 0) writeSync(1, 'busy\n');
}
