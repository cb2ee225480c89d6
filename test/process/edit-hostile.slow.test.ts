import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type SalonClient } from '../../src/index.ts';
import {
  type CountingGateway,
  type Fate,
  type GatewayOptions,
  openCountingGateway,
} from '../support/counting-gateway.ts';
import {
  createHome,
  type Finished,
  finish,
  type Home,
  runOnSmallDisk,
  runSalon,
  startSalon,
} from '../support/salon-process.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { bySpeed } from '../support/speed.ts';

const rows = bySpeed({ full: 120, long: 300 });
/** The number of writes before the failure. */
const middle = rows / 3;

let service: TestService;
let client: SalonClient;

beforeAll(async () => {
  service = await openTestService({ clients: rows });
  client = createClient({
    baseUrl: service.origin,
    credential: { kind: 'bearer', token: service.keys.owner },
  });
});
afterAll(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

interface Stage {
  readonly home: Home;
  readonly gateway: CountingGateway;
}

function envOf({ gateway }: Stage, key = service.keys.owner) {
  return { SALON_BASE_URL: gateway.origin, SALON_API_KEY: key, SALON_DATA_DIR: 'data' };
}

async function readClients() {
  const all: Readonly<Record<string, unknown>>[] = [];
  for await (const page of client.clients.list()) all.push(...page.rows);
  return all;
}

/** A sheet, how it is sent, and a check that its changes were made exactly once. */
interface Task {
  readonly argv: readonly string[];
  write(home: Home): Promise<void>;
  assertDone(gateway: CountingGateway): Promise<void>;
}

/** Gives every client the same note. */
function createNotes(note: string): Task {
  return {
    argv: ['clients', 'update', '--file', 'sheet.csv', '--yes'],
    async write({ folder }) {
      const lines = (await readClients()).map(({ id }) => `${id},${note}`);
      writeFileSync(join(folder, 'sheet.csv'), `id,notes\n${lines.join('\n')}\n`);
    },
    async assertDone({ writes }) {
      expect((await readClients()).filter(({ notes }) => notes !== note)).toEqual([]);
      const sent = Map.groupBy(writes, ({ path }) => path);
      expect([...sent.values()].filter((same) => new Set(same.map(({ body }) => body)).size > 1)).toEqual([]);
    },
  };
}

/** Creates this many clients, and deletes them after they are counted. */
function createArrivals(name: string): Task {
  const names = Array.from({ length: rows }, (_, index) => `${name} ${index}`);
  return {
    argv: ['clients', 'create', '--file', 'sheet.csv', '--yes'],
    async write({ folder }) {
      writeFileSync(join(folder, 'sheet.csv'), `first_name\n${names.join('\n')}\n`);
    },
    async assertDone() {
      const made = (await readClients()).filter(({ first_name }) => names.includes(String(first_name)));
      for (const { id } of made) await client.clients.delete(String(id));
      expect(made.map(({ first_name }) => first_name).toSorted()).toEqual(names.toSorted());
    },
  };
}

/** Resumes with the command that a run printed. */
function resume({ stderr }: Finished, stage: Stage, key?: string): Promise<Finished> {
  const [, command = ''] = /Resume with: salon (jobs resume [\w-]+)\n/.exec(stderr) ?? [];
  return runSalon(command.split(' '), { home: stage.home, env: envOf(stage, key) });
}

async function openStage(task: Task, fateOf: GatewayOptions['fateOf']) {
  const gateway = await openCountingGateway(service.origin, { fateOf });
  const home = createHome();
  await task.write(home);
  return {
    gateway,
    home,
    async [Symbol.asyncDispose]() {
      home[Symbol.dispose]();
      await gateway[Symbol.asyncDispose]();
    },
  };
}

const kinds = [
  ['an update', createNotes],
  ['a create', createArrivals],
] as const;

describe.each(kinds)('%s of many rows', (_title, createTask) => {
  it('stops when its key is revoked and resumes with another', async () => {
    const task = createTask('revoked');
    const { id, key } = await service.addKey({});
    let revoked: Promise<void> | undefined;
    await using stage = await openStage(task, async (_method, writes): Promise<Fate> => {
      if (writes >= middle) revoked ??= service.revokeKey(id);
      await revoked;
      return 'passed';
    });
    const ran = await runSalon(task.argv, { home: stage.home, env: envOf(stage, key) });
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect(ran.stderr).toMatch(/^error: .*\bkey\b/m);
    const refused = await resume(ran, stage, key);
    expect(refused).toMatchObject({ exitCode: 4, stdout: '' });
    const resumed = await resume(ran, stage);
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    await task.assertDone(stage.gateway);
  });

  it.each([
    ['requests are lost', 'lost'],
    ['responses are lost', 'unanswered'],
  ] as const)(
    'stops when the service goes away so that %s, and resumes when it is back',
    async (title, fate) => {
      const task = createTask(title);
      let isAway = true;
      await using stage = await openStage(task, (_method, writes) =>
        isAway && writes >= middle ? fate : 'passed',
      );
      const ran = await runSalon(task.argv, { home: stage.home, env: envOf(stage) });
      expect(ran.exitCode, ran.stderr).toBe(3);
      isAway = false;
      const resumed = await resume(ran, stage);
      expect(resumed.exitCode, resumed.stderr).toBe(0);
      await task.assertDone(stage.gateway);
    },
  );

  it('finishes requests in flight on Ctrl-C and resumes', async () => {
    const task = createTask('interrupted');
    const reached = Promise.withResolvers<void>();
    await using stage = await openStage(task, (_method, writes) => {
      if (writes === middle) reached.resolve();
      return 'passed';
    });
    const child = startSalon(task.argv, { home: stage.home, env: envOf(stage) });
    const finished = finish(child);
    await Promise.race([reached.promise, finished]);
    child.kill('SIGINT');
    const ran = await finished;
    expect(ran.exitCode, ran.stderr).toBe(130);
    const sent = stage.gateway.writes.length;
    expect(sent).toBeLessThan(rows);
    const left = Number(/(\d+) rows are left\./.exec(ran.stderr)?.[1]);
    expect(left, 'what was sent was waited for').toBe(rows - sent);
    const resumed = await resume(ran, stage);
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    expect(stage.gateway.writes, 'nothing is sent twice').toHaveLength(rows);
    await task.assertDone(stage.gateway);
  });

  it.skipIf(process.platform === 'win32')(
    'stops when the disk is full and resumes when there is room',
    async () => {
      const task = createTask('full');
      let isAway = true;
      await using stage = await openStage(task, (method) => (isAway && method !== 'GET' ? 'lost' : 'passed'));
      const begun = await runSalon([...task.argv, '--retries', '0'], { home: stage.home, env: envOf(stage) });
      expect(begun.exitCode, begun.stderr).toBe(5);
      isAway = false;
      const [, job = ''] = /salon jobs resume ([\w-]+)/.exec(begun.stderr) ?? [];
      const full = await runOnSmallDisk(['jobs', 'resume', job], { home: stage.home, env: envOf(stage) });
      expect(full.exitCode, full.stderr).toBe(3);
      expect(full.stderr).toMatch(/Cannot write .*journal: it would exceed the file size limit\./);
      const journal = readFileSync(join(stage.home.folder, 'data/jobs', job, 'journal'), 'latin1');
      expect(journal.endsWith('\n'), 'the disk was full in the middle of a line').toBe(false);
      const resumed = await resume(full, stage);
      expect(resumed.exitCode, resumed.stderr).toBe(0);
      await task.assertDone(stage.gateway);
    },
  );
});

describe('a bulk edit running in another process', () => {
  it('cannot be resumed or undone', async () => {
    const task = createNotes('twice');
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await using stage = await openStage(task, async (method, writes): Promise<Fate> => {
      if (method === 'GET' || writes < middle) return 'passed';
      reached.resolve();
      await released.promise;
      return 'passed';
    });
    const env = envOf(stage);
    // The held requests are not sent again, however long the other commands take.
    const finished = finish(startSalon([...task.argv, '--timeout', '10m'], { home: stage.home, env }));
    await Promise.race([reached.promise, finished]);
    const names = readdirSync(join(stage.home.folder, 'data/jobs'));
    const job = names.find((name) => !name.startsWith('.')) ?? '';
    for (const verb of ['resume', 'undo']) {
      const second = await runSalon(['jobs', verb, job], { home: stage.home, env });
      expect(second).toMatchObject({
        exitCode: 7,
        stdout: '',
        stderr: expect.stringContaining('still running'),
      });
    }
    released.resolve();
    expect(await finished).toMatchObject({ exitCode: 0 });
    expect(stage.gateway.writes).toHaveLength(rows);
    await task.assertDone(stage.gateway);
  });
});
