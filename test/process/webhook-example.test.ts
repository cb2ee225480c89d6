import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventTypes } from '../../src/contract/events.ts';
import { createWebhookSecret } from '../../src/webhooks/secret.ts';
import { signWebhook } from '../../src/webhooks/signature.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const secret = createWebhookSecret(() => Buffer.alloc(32, 'salon'));

let folder: string;
let receiver: ChildProcess;
let address: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'salon-example-'));
  const file = join(folder, 'receiver.mjs');
  writeFileSync(file, exampleToRun());
  receiver = fork(file, {
    env: { SALON_WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [port] = await once(receiver, 'message');
  address = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  receiver.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** The README's receiver with the built package, on a free port that it tells us. */
function exampleToRun(): string {
  const code = /### Webhooks: verifying\n[\s\S]*?```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const adapted = code
    .replace("from 'salon'", `from '${new URL('../../dist/index.js', import.meta.url)}'`)
    .replace('.listen(3000)', ".listen(0, '127.0.0.1', function () { process.send(this.address().port); })");
  expect(adapted.match(/dist\/index\.js|process\.send/g)).toHaveLength(2);
  return adapted;
}

async function send(type: string, signedWith = secret): Promise<number> {
  const object = { stylist_id: 'sty_1', start_time: '2026-11-24T10:30:00Z' };
  const body = JSON.stringify({ id: 'evt_1', type, data: { resource: 'appointment', object } });
  const headers = signWebhook({ id: 'evt_1', timestamp: new Date(), body }, signedWith);
  return (await fetch(address, { method: 'POST', headers, body })).status;
}

it('the README’s receiver reacts to a cancelled booking, and to nothing that is forged', async () => {
  const forged = createWebhookSecret(() => Buffer.alloc(32, 'forged'));
  const printed = once(receiver.stdout ?? receiver, 'data');
  expect(await send('booking.cancelled', forged)).toBe(400);
  expect(await send('booking.created')).toBe(204);
  expect(await send('booking.cancelled')).toBe(204);
  expect(String(await printed)).toBe('sty_1 is free at 2026-11-24T10:30:00Z\n');
});

it('the README names every event there is', () => {
  const sentence = /Events are ([\s\S]*?)\. The same event/.exec(readme)?.[1] ?? '';
  let family = '';
  const named = [...sentence.matchAll(/`(\w*)(\.\w+)`/g)].map(([, prefix, verb]) => {
    family = prefix || family;
    return family + verb;
  });
  expect(named).toEqual([...eventTypes]);
});
