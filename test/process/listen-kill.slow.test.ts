import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient, type SalonClient } from '../../src/index.ts';
import { createHome, finish, startSalon } from '../support/salon-process.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { bySpeed } from '../support/speed.ts';

const kills = bySpeed({ full: 2, long: 40 });
const eventsAKill = 25;

let service: TestService;
let client: SalonClient;

beforeAll(async () => {
  service = await openTestService();
  const token = service.keys.owner;
  client = createClient({ baseUrl: service.origin, credential: { kind: 'bearer', token } });
});
afterAll(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

/** Resolves when a process has written this many lines; keeps the lines written so far. */
function watchLines(child: ChildProcess, stream: 'stdout' | 'stderr') {
  const lines: string[] = [];
  let rest = '';
  let look = () => {};
  child[stream]?.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString('utf8')).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    look();
  });
  const until = (isEnough: (lines: readonly string[]) => boolean) =>
    new Promise<void>((resolve) => {
      look = () => isEnough(lines) && resolve();
      look();
    });
  return { lines, until };
}

it('a repeatedly killed listener loses no event and leaves no endpoint', async () => {
  using home = createHome();
  const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner, SALON_DATA_DIR: 'data' };
  const start = () =>
    startSalon(['webhooks', 'listen', '--events', 'client.created', '--record', 'hooks.ndjson'], {
      home,
      env,
    });
  const made = new Set<string>();
  const addClient = async () => {
    const { id } = await client.clients.create({ first_name: 'Ana' });
    made.add(String(id));
  };
  for (let kill = 0; kill < kills; kill += 1) {
    const child = start();
    const [said, printed] = [watchLines(child, 'stderr'), watchLines(child, 'stdout')];
    await said.until((lines) => lines.some((line) => line.startsWith('The salon delivers to')));
    const adding = Promise.all(Array.from({ length: eventsAKill }, addClient));
    await printed.until((lines) => lines.length >= kill * 2);
    child.kill('SIGKILL');
    await Promise.all([adding, finish(child)]);
  }
  const last = start();
  const finished = finish(last);
  const said = watchLines(last, 'stderr');
  await said.until((lines) => lines.some((line) => line.startsWith('A previous listener')));
  last.kill('SIGINT');
  expect((await finished).exitCode).toBe(130);
  const recorded = readFileSync(join(home.folder, 'hooks.ndjson'), 'utf8').trim().split('\n');
  const seen = recorded.map((line) => JSON.parse(JSON.parse(line).body).data.object.id);
  expect(new Set(seen)).toEqual(made);
  const left = [];
  for await (const { rows } of client.webhooks.list()) left.push(...rows);
  expect(left).toEqual([]);
});
