import { openDatabase } from '../../src/service/db/database.ts';
import { openAccountLimiter } from '../../src/service/domain/rate-limit.ts';
import { testNow } from './salon.ts';

// A process that spends requests of an account one by one, reports how many were allowed, and keeps its lease.
const [, , location = '', id = '', hourlyLimit = '', count = ''] = process.argv;
const environment = { now: () => new Date(testNow), random: (size: number) => new Uint8Array(size) };

await using database = await openDatabase(location);
const limiter = openAccountLimiter(database, environment, { timeoutMs: 600_000 });
let allowed = 0;
for (let sent = 0; sent < Number(count); sent += 1) {
  if ((await limiter.take({ id, hourlyLimit: Number(hourlyLimit) })).allowed) allowed += 1;
}
process.send?.(allowed);
// Until it is killed.
process.on('message', () => {});
await new Promise(() => {});
