import { randomBytes } from 'node:crypto';
import { scopes } from '../../src/contract/roles.ts';
import { openDatabase } from '../../src/service/db/database.ts';
import type { Context } from '../../src/service/domain/context.ts';
import { createRandomNumbers } from './random-numbers.ts';
import { writeAtRandom } from './random-writes.ts';

// A process that changes records of a salon at random, 8 at a time, until it is killed. Tells how many it has changed.
const [, , location = '', accountId = '', seed = ''] = process.argv;
const writers = 8;

const database = await openDatabase(location);
const refuse = () => {
  throw new Error('No secrets are needed.');
};
const context: Context = {
  database,
  environment: { now: () => new Date(), random: (size) => randomBytes(size) },
  secrets: { seal: refuse, open: refuse },
  checkAddress: async () => undefined,
  caller: {
    account: { id: accountId, name: 'Test salon', plan: 'pro', hourlyLimit: 5000, settings: {} },
    ...{ role: 'owner', scopes, stylistId: null, credential: { kind: 'operator' } },
  },
  source: { requestId: null, address: null },
};
const random = createRandomNumbers(Number(seed));
let written = 0;

async function write(): Promise<void> {
  for (;;) {
    if ((await writeAtRandom(context, random)) !== undefined) written += 1;
    process.send?.(written);
  }
}

await Promise.all(Array.from({ length: writers }, write));
