import { randomBytes } from 'node:crypto';
import { openAdministration } from '../src/service/administration.ts';
import { type Database, openDatabase } from '../src/service/db/database.ts';
import type { Writer } from '../src/service/db/engine.ts';
import { openAccountLimiter } from '../src/service/domain/rate-limit.ts';
import { createServer } from '../src/service/http/server.ts';
import { openCredentials } from '../src/service/identity/credentials.ts';
import { createReadiness } from '../src/service/monitoring/readiness.ts';
import { openSecrets } from '../src/service/secrets/secrets.ts';
import { openBackgroundDelivery } from '../src/service/webhooks/background-delivery.ts';
import { addReceiver } from './webhook-queue.ts';

// The service over an empty salon, with or without events, in its own process.
const [, , file = '', mode = '', url = ''] = process.argv;
const location = `sqlite:${file}`;
const environment = { now: () => new Date(), random: (size: number) => randomBytes(size) };

async function makeAccount() {
  await using administration = await openAdministration(location, environment);
  const plan = { name: 'Bench', plan: 'enterprise', hourlyLimit: 1_000_000_000 } as const;
  const { id: accountId } = await administration.createAccount(plan);
  const operator = await administration.inAccount(accountId);
  const { key } = await administration.createApiKey(operator, { role: 'owner', name: 'bench' });
  return { accountId, key };
}

/** Skips the statements of events; only building their JSON remains. */
function leaveOutEvents(database: Database): Database {
  const toAnswer = (text: string) => {
    if (text.startsWith('insert into events')) return [{ seq: 1, storedBytes: 0 }];
    return text.startsWith('select id, events from webhooks') ? [] : undefined;
  };
  const changed = new WeakSet<Writer>();
  const leaveOut = (tx: Writer) => {
    const { run } = tx;
    const runOthers: Writer['run'] = (text, values) => {
      const answer = toAnswer(text);
      return answer === undefined ? run(text, values) : Promise.resolve(answer as never[]);
    };
    // Transactions of SQLite share it.
    if (!changed.has(tx)) Object.assign(tx, { run: runOthers });
    changed.add(tx);
    return tx;
  };
  return { ...database, transaction: (lock, body) => database.transaction(lock, (tx) => body(leaveOut(tx))) };
}

const { accountId, key } = await makeAccount();
const opened = await openDatabase(location);
const database = mode === 'without' ? leaveOutEvents(opened) : opened;
const secrets = openSecrets({ location, environment });
if (url !== '') await addReceiver(opened, { accountId, environment, secrets, url });
const app = createServer({
  context: { database, environment, secrets, checkAddress: async () => undefined },
  limiter: openAccountLimiter(opened, environment),
  credentials: openCredentials({ database, environment }),
  logLevel: 'silent',
  log: { write: () => {} },
  checkReadiness: createReadiness({ database, file: undefined }).check,
});
if (mode === 'delivered') {
  openBackgroundDelivery({
    ...{ database, environment, secrets, log: app.log, allowsLoopback: true },
    resolve: async () => ['127.0.0.1'],
  });
}
await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ key, port: Number(new URL(app.listeningOrigin).port) });
