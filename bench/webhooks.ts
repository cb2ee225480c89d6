import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../src/service/db/database.ts';
import { createAccount } from '../src/service/domain/accounts.ts';
import { openSecrets } from '../src/service/secrets/secrets.ts';
import { createDeliveryWorker } from '../src/service/webhooks/delivery-worker.ts';
import { measureRate } from './load.ts';
import { renderRates } from './render-rates.ts';
import { openFolder, startServer } from './start-server.ts';
import { addEvents, addReceiver } from './webhook-queue.ts';

// The cost of events per create, and deliveries per second to a receiver on loopback, in turn.
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    events: { type: 'string', default: '2000' },
  },
});
const rounds = Number(values.rounds);
const durationMs = Number(values.seconds) * 1000;
const count = Number(values.events);
/** Receivers that share the events of a round. */
const spreads = [1, 8] as const;

using folder = openFolder();
using receiver = startServer('webhook-receiver.ts', []);
const [receiverPort] = (await once(receiver.process, 'message')) as [number];
const url = `http://127.0.0.1:${receiverPort}/`;

const sides = [
  { name: 'create without events', mode: 'without', url: '' },
  { name: 'no webhook', mode: 'kept', url: '' },
  { name: 'one webhook', mode: 'kept', url },
  { name: 'one webhook, delivering', mode: 'delivered', url },
] as const;
await using services = new AsyncDisposableStack();
const creates: { name: string; beside: number; rates: number[]; port: number; toRequest: () => string }[] =
  [];
for (const [index, side] of sides.entries()) {
  const args = [join(folder.path, `${index}.db`), side.mode, side.url];
  const service = services.use(startServer('create-service.ts', args));
  const [{ key, port }] = (await once(service.process, 'message')) as [{ key: string; port: number }];
  creates.push({ name: side.name, beside: 0, rates: [], port, toRequest: () => toPost(key) });
}
for (let round = -1; round < rounds; round++) {
  for (const create of creates) {
    const rate = await measureRate(create, durationMs);
    if (round >= 0) create.rates.push(rate);
  }
}
console.log(`Node ${process.versions.node}, ${rounds} rounds of ${values.seconds} s in turn, 16 connections`);
console.log('Creates per second:');
console.log(renderRates(creates));

const environment = { now: () => new Date(), random: (size: number) => randomBytes(size) };
const location = `sqlite:${join(folder.path, 'delivery.db')}`;
await using database = await openDatabase(location);
const secrets = openSecrets({ location, environment });
const { id: accountId } = await createAccount({ database, environment }, { name: 'Bench', plan: 'pro' });
const delivered = spreads.map((spread) => ({
  ...{ spread, name: `to ${spread} webhook${spread === 1 ? '' : 's'}`, beside: 0, rates: [] as number[] },
}));
for (let round = -1; round < rounds; round++) {
  for (const { spread, rates } of delivered) {
    const rate = await measureDelivery(spread);
    if (round >= 0) rates.push(rate);
  }
}
console.log(`Deliveries per second, ${count} at a time:`);
console.log(renderRates(delivered));

/** Events per second, from the first claim to the last write. Throws unless all are delivered. */
async function measureDelivery(spread: number): Promise<number> {
  for (let number = 0; number < spread; number++) {
    const webhookId = await addReceiver(database, { accountId, environment, secrets, url });
    await addEvents(database, { accountId, environment, webhookId, count: count / spread });
  }
  const log = { warn: console.error, error: console.error };
  const rules = { resolve: async () => ['127.0.0.1'], allowsLoopback: true };
  const worker = createDeliveryWorker({ database, environment, secrets, log, ...rules });
  const startedAt = performance.now();
  await worker.deliverAllDue();
  const elapsedMs = performance.now() - startedAt;
  await worker.close();
  const left = await database.reader.run("select id from deliveries where status <> 'delivered'", []);
  if (left.length > 0) throw new Error(`${left.length} events were not delivered.`);
  return (count * 1000) / elapsedMs;
}

function toPost(key: string): string {
  const body = JSON.stringify({ first_name: 'Ana', last_name: 'Lima', email: 'ana@example.com' });
  return `POST /api/v1/clients HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
