import { cpSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CountingGateway, type Fate, openCountingGateway } from '../../support/counting-gateway.ts';
import { createMachine, type Machine } from '../../support/io.ts';
import { openTestService, type TestService } from '../../support/service.ts';

const rows = 20;

let service: TestService;
let gateway: CountingGateway;
let machine: Machine;
/** What happens to the nth write. */
let fateOf: (writes: number) => Fate;

beforeEach(async () => {
  service = await openTestService({ clients: rows });
  fateOf = () => 'passed';
  gateway = await openCountingGateway(service.origin, { fateOf: (_method, writes) => fateOf(writes) });
  machine = createMachine({ env: envOf(service.keys.owner) });
});
afterEach(async () => {
  machine[Symbol.dispose]();
  await gateway[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

function envOf(key: string) {
  return { SALON_BASE_URL: gateway.origin, SALON_API_KEY: key, SALON_DATA_DIR: 'data' };
}

async function readNotes(): Promise<readonly unknown[]> {
  const { stdout } = await machine.salon(['clients', 'list', '--json']);
  return JSON.parse(stdout).map(({ notes }: { notes: unknown }) => notes);
}

async function writeSheet(): Promise<void> {
  const { stdout } = await machine.salon(['clients', 'list', '-c', 'id', '-f', 'csv']);
  const [, ...ids] = stdout.trim().split('\n');
  const lines = ids.map((id, index) => `${id},note ${index}`);
  writeFileSync(join(machine.home, 'notes.csv'), ['id,notes', ...lines, ''].join('\n'));
}

/** A job that stopped in the middle, when the service went away; it is back now. */
async function stopInTheMiddle(): Promise<{ readonly job: string; readonly folder: string }> {
  await writeSheet();
  fateOf = (writes) => (writes > rows / 2 ? 'lost' : 'passed');
  const argv = ['clients', 'update', '--file', 'notes.csv', '--yes', '--retries', '0', '--concurrency', '1'];
  const { exitCode, stderr } = await machine.salon(argv);
  expect(exitCode, stderr).toBe(3);
  fateOf = () => 'passed';
  const [job = ''] = jobs();
  return { job, folder: join(machine.home, 'data/jobs', job) };
}

function jobs(): readonly string[] {
  return readdirSync(join(machine.home, 'data/jobs')).filter((name) => !name.startsWith('.'));
}

const wanted = Array.from({ length: rows }, (_, index) => `note ${index}`);

/** Cuts off the end of a file, in the middle of a line. */
function cut(path: string): void {
  truncateSync(path, 300);
}

describe('the folder of a job', () => {
  it.each<[string, string, (path: string) => void]>([
    ['has no plan', 'plan.json', (path) => rmSync(path)],
    ['has a plan that was cut off', 'plan.json', cut],
    ['has an empty plan', 'plan.json', (path) => writeFileSync(path, '')],
    ['does not say what to do', 'job.json', (path) => rmSync(path)],
    ['says in part what to do', 'job.json', (path) => truncateSync(path, 40)],
    ['says something else than what to do', 'job.json', (path) => writeFileSync(path, 'PK\u0003\u0004\0')],
  ])('that %s is refused before anything is sent', async (_title, file, damage) => {
    const { job, folder } = await stopInTheMiddle();
    damage(join(folder, file));
    const sent = gateway.writes.length;
    for (const verb of ['resume', 'undo']) {
      const ran = await machine.salon(['jobs', verb, job]);
      expect(ran.exitCode, ran.stderr).toBe(2);
      expect(ran.stderr).toMatch(
        /^error: .*(plan\.json is not a usable plan|Cannot read plan|Cannot read job)/,
      );
    }
    expect(gateway.writes).toHaveLength(sent);
  });

  it.each<[string, (path: string) => void]>([
    ['was cut off in the middle of a line', cut],
    ['is not there', (path) => rmSync(path)],
  ])('whose journal %s can be resumed', async (_title, damage) => {
    const { job, folder } = await stopInTheMiddle();
    damage(join(folder, 'journal'));
    const ran = await machine.salon(['jobs', 'resume', job]);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(await readNotes()).toEqual(wanted);
    const bodies = Map.groupBy(gateway.writes, ({ path }) => path).values();
    expect([...bodies].filter((same) => new Set(same.map(({ body }) => body)).size > 1)).toEqual([]);
  });

  it('is all that another machine needs to resume', async () => {
    await writeSheet();
    const signIn = ['auth', 'login', '--base-url', gateway.origin, '--profile', 'here'];
    const { SALON_DATA_DIR } = envOf('');
    const env = { SALON_BASE_URL: undefined, SALON_API_KEY: undefined };
    const login = await machine.salon(signIn, { stdin: `${service.keys.owner}\n`, env });
    expect(login.exitCode, login.stderr).toBe(0);
    fateOf = (writes) => (writes > rows / 2 ? 'lost' : 'passed');
    const argv = ['clients', 'update', '--file', 'notes.csv', '--yes', '--retries', '0', '--profile', 'here'];
    expect(await machine.salon(argv, { env })).toMatchObject({ exitCode: 3 });
    fateOf = () => 'passed';
    using other = createMachine({ env: envOf(service.keys.owner) });
    cpSync(join(machine.home, SALON_DATA_DIR, 'jobs'), join(other.home, SALON_DATA_DIR, 'jobs'), {
      recursive: true,
      filter: (path) => !path.includes('alive-'),
    });
    const [job = ''] = jobs();
    const ran = await other.salon(['jobs', 'resume', job]);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(await readNotes()).toEqual(wanted);
  });
});

describe('a plan', () => {
  const apply = ['jobs', 'apply', 'plan.json', '--yes'];

  beforeEach(async () => {
    await writeSheet();
    await machine.salon(['clients', 'update', '--file', 'notes.csv', '--plan-file', 'plan.json']);
  });

  it('belongs to one account, and so does a job', async () => {
    const { keys } = await service.addAccount();
    const { job } = await stopInTheMiddle();
    const sent = gateway.writes.length;
    for (const argv of [apply, ['jobs', 'resume', job], ['jobs', 'undo', job, '--yes']]) {
      const ran = await machine.salon(argv, { env: envOf(keys.owner) });
      expect(ran.exitCode, ran.stderr).toBe(2);
      expect(ran.stderr).toMatch(/was made for account acc_\w+ at|is of another account/);
    }
    expect(gateway.writes).toHaveLength(sent);
  });

  it('belongs to one address, and so does a job', async () => {
    const { job } = await stopInTheMiddle();
    const sent = gateway.writes.length;
    for (const argv of [apply, ['jobs', 'resume', job], ['jobs', 'undo', job, '--yes']]) {
      const ran = await machine.salon([...argv, '--base-url', service.origin]);
      expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(service.origin) });
    }
    expect(gateway.writes).toHaveLength(sent);
  });

  it('conflicts with a changed sheet next to it', async () => {
    writeFileSync(join(machine.home, 'notes.csv'), 'id,notes\n');
    const ran = await machine.salon(apply);
    expect(ran).toMatchObject({
      exitCode: 7,
      stderr: expect.stringContaining('notes.csv has changed since plan.json was made from it.'),
    });
    expect(gateway.writes).toEqual([]);
    rmSync(join(machine.home, 'notes.csv'));
    expect(await machine.salon(apply)).toMatchObject({ exitCode: 0 });
    expect(await readNotes()).toEqual(wanted);
  });
});

it('a job of a protected profile resumes if the account is confirmed', async () => {
  await writeSheet();
  const env = { SALON_BASE_URL: undefined, SALON_API_KEY: undefined };
  const stdin = `${service.keys.owner}\n`;
  await machine.salon(['auth', 'login', '--base-url', gateway.origin], { stdin, env });
  await machine.salon(['profiles', 'set', 'default', 'protected', 'true'], { env });
  fateOf = (writes) => (writes > rows / 2 ? 'lost' : 'passed');
  const confirm = ['--confirm=Test salon'];
  const argv = ['clients', 'update', '--file', 'notes.csv', '--retries', '0', ...confirm];
  const stopped = await machine.salon(argv, { env });
  expect(stopped.exitCode, stopped.stderr).toBe(3);
  fateOf = () => 'passed';
  const [job = ''] = jobs();
  const unnamed = await machine.salon(['jobs', 'resume', job], { env });
  expect(unnamed).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('--confirm=') });
  const resumed = await machine.salon(['jobs', 'resume', job, ...confirm], { env });
  expect(resumed.exitCode, resumed.stderr).toBe(0);
  expect(await readNotes()).toEqual(wanted);
});
