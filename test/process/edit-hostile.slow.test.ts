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
import { openMachine, type RunResult } from '../support/io.ts';
import {
  createHome,
  type Finished,
  finish,
  type Home,
  runOnSmallDisk,
  startSalon,
} from '../support/salon-process.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { bySpeed } from '../support/speed.ts';
import { createTestClock } from '../support/test-clock.ts';

const few = bySpeed({ full: 30, long: 300 });
/** More than a process sends before it knows of a Ctrl-C, and than the journal on a small disk has room for. */
const many = bySpeed({ full: 120, long: 300 });

let service: TestService;
let client: SalonClient;

beforeAll(async () => {
  service = await openTestService({ clients: many });
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
  /** Runs a command in this process, where no retry waits. */
  salon(argv: readonly string[], key?: string): Promise<RunResult>;
}

function envOf({ gateway }: Pick<Stage, 'gateway'>, key = service.keys.owner) {
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

/** Gives this many clients the same note. */
function createNotes(note: string, rows: number): Task {
  return {
    argv: ['clients', 'update', '--file', 'sheet.csv', '--yes'],
    async write({ folder }) {
      const lines = (await readClients()).slice(0, rows).map(({ id }) => `${id},${note}`);
      writeFileSync(join(folder, 'sheet.csv'), `id,notes\n${lines.join('\n')}\n`);
    },
    async assertDone({ writes }) {
      expect((await readClients()).filter(({ notes }) => notes === note)).toHaveLength(rows);
      const sent = Map.groupBy(writes, ({ path }) => path);
      expect([...sent.values()].filter((same) => new Set(same.map(({ body }) => body)).size > 1)).toEqual([]);
    },
  };
}

/** Creates this many clients, under names of their own. */
function createArrivals(name: string, rows: number): Task {
  const names = Array.from({ length: rows }, (_, index) => `${name} ${index}`);
  return {
    argv: ['clients', 'create', '--file', 'sheet.csv', '--yes'],
    async write({ folder }) {
      writeFileSync(join(folder, 'sheet.csv'), `first_name\n${names.join('\n')}\n`);
    },
    async assertDone() {
      const made = (await readClients()).filter(({ first_name }) => names.includes(String(first_name)));
      expect(made.map(({ first_name }) => first_name).toSorted()).toEqual(names.toSorted());
    },
  };
}

/** Resumes with the command that a run printed. */
function resume({ stderr }: RunResult | Finished, stage: Stage, key?: string): Promise<RunResult> {
  const [, command = ''] = /Resume with: salon (jobs resume [\w-]+)\n/.exec(stderr) ?? [];
  return stage.salon(command.split(' '), key);
}

async function openStage(task: Task, fateOf: GatewayOptions['fateOf']): Promise<Stage & AsyncDisposable> {
  const gateway = await openCountingGateway(service.origin, { fateOf });
  const home = createHome();
  const machine = openMachine(home.folder, { clock: createTestClock(Date.now()) });
  await task.write(home);
  const stage: Stage = {
    gateway,
    home,
    salon: (argv, key) => machine.salon(argv, { env: envOf(stage, key) }),
  };
  return {
    ...stage,
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
    const task = createTask('revoked', few);
    const { id, key } = await service.addKey({});
    let revoked: Promise<void> | undefined;
    await using stage = await openStage(task, async (_method, writes): Promise<Fate> => {
      if (writes >= few / 3) revoked ??= service.revokeKey(id);
      await revoked;
      return 'passed';
    });
    const ran = await stage.salon(task.argv, key);
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
      const task = createTask(title, few);
      let isAway = true;
      await using stage = await openStage(task, (_method, writes) =>
        isAway && writes >= few / 3 ? fate : 'passed',
      );
      const ran = await stage.salon(task.argv);
      expect(ran.exitCode, ran.stderr).toBe(3);
      isAway = false;
      const resumed = await resume(ran, stage);
      expect(resumed.exitCode, resumed.stderr).toBe(0);
      await task.assertDone(stage.gateway);
    },
  );

  it('finishes requests in flight on Ctrl-C and resumes', async () => {
    const task = createTask('interrupted', many);
    const reached = Promise.withResolvers<void>();
    await using stage = await openStage(task, (_method, writes) => {
      if (writes === many / 3) reached.resolve();
      return 'passed';
    });
    const child = startSalon(task.argv, { home: stage.home, env: envOf(stage) });
    const finished = finish(child);
    await Promise.race([reached.promise, finished]);
    child.kill('SIGINT');
    const ran = await finished;
    expect(ran.exitCode, ran.stderr).toBe(130);
    const sent = stage.gateway.writes.length;
    expect(sent).toBeLessThan(many);
    const left = Number(/(\d+) rows are left\./.exec(ran.stderr)?.[1]);
    expect(left, 'what was sent was waited for').toBe(many - sent);
    const resumed = await resume(ran, stage);
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    expect(stage.gateway.writes, 'nothing is sent twice').toHaveLength(many);
    await task.assertDone(stage.gateway);
  });

  it.skipIf(process.platform === 'win32')(
    'stops when the disk is full and resumes when there is room',
    async () => {
      const task = createTask('full', many);
      let isAway = true;
      await using stage = await openStage(task, (method) => (isAway && method !== 'GET' ? 'lost' : 'passed'));
      const begun = await stage.salon([...task.argv, '--retries', '0']);
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
    const task = createNotes('twice', few);
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await using stage = await openStage(task, async (method, writes): Promise<Fate> => {
      if (method === 'GET' || writes < few / 3) return 'passed';
      reached.resolve();
      await released.promise;
      return 'passed';
    });
    // The held requests are not sent again, however long the other commands take.
    const argv = [...task.argv, '--timeout', '10m'];
    const finished = finish(startSalon(argv, { home: stage.home, env: envOf(stage) }));
    await Promise.race([reached.promise, finished]);
    const names = readdirSync(join(stage.home.folder, 'data/jobs'));
    const job = names.find((name) => !name.startsWith('.')) ?? '';
    for (const verb of ['resume', 'undo']) {
      const second = await stage.salon(['jobs', verb, job]);
      expect(second).toMatchObject({
        exitCode: 7,
        stdout: '',
        stderr: expect.stringContaining('still running'),
      });
    }
    released.resolve();
    expect(await finished).toMatchObject({ exitCode: 0 });
    expect(stage.gateway.writes).toHaveLength(few);
    await task.assertDone(stage.gateway);
  });
});
