import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findCommand } from '../../src/cli/command-line.ts';
import { defineCommand, definitionOf } from '../../src/cli/flags/command-definition.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { openDatabase } from '../../src/service/db/database.ts';
import { createMachine, type Machine, type RunOptions } from '../support/io.ts';
import { keepWebhook } from '../support/kept-webhook.ts';
import { addMember } from '../support/members.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { commandCalls } from './command-calls.ts';

const terminal = { columns: 80 };
const runner = { define: defineCommand };
const program = await buildProgram({ runner, io: { stdout: process.stdout, terminal } } as never);

/** Whether the call of a command writes to the salon, as its definition says. */
function writesToSalon(path: string): boolean {
  const { changes } = definitionOf(findCommand(program, path.split(' ')) ?? program) ?? {};
  // What a database is administered with sends no requests, and these calls have nothing to change.
  const isIdle = path.startsWith('server ') || ['api', 'jobs resume', 'services learn'].includes(path);
  return changes === 'the salon' && !isIdle;
}

/** Whether a command works without the salon that is given in the environment. */
function isLocal(path: string): boolean {
  const nouns = /^(?:server|jobs|profiles|aliases|demo|completion|help|sql|upgrade|doctor)(?: |$)/;
  return nouns.test(path) || /^(?:auth log|webhooks (?:verify|replay|trigger)$)/.test(path);
}

/** Commands that run until a signal. */
const endless = ['server start', 'webhooks listen'];

let machine: Machine;
let service: TestService;
let words: Readonly<Record<string, string>>;

beforeAll(async () => {
  machine = createMachine({ env: { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' } });
  service = await openTestService();
  words = { ...(await prepare(machine)), SERVICE: service.origin };
});
// A webhook that was signed minutes ago is refused.
beforeEach(() => keepWebhook(machine.home, new Date()));
afterAll(async () => {
  machine[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

describe('standard output', () => {
  it.each(Object.entries(commandCalls))(
    'carries only data, and only what changes the salon sends a write: salon %s',
    async (path, { argv, data }) => {
      const stopped = endless.includes(path) ? { signal: AbortSignal.abort('SIGTERM') } : {};
      const ran = await salon(`${path} ${argv} --json --verbose --debug`, stopped);
      expect(ran.exitCode, ran.stderr).toBe(path === 'webhooks listen' ? 143 : 0);
      const writes = ran.stderr.match(/^→ (?!GET |HEAD )[A-Z]+ \S+/gm) ?? [];
      expect(writes.length > 0, writes.join()).toBe(writesToSalon(path));
      if (data === 'json') expect(() => JSON.parse(ran.stdout), ran.stdout).not.toThrow();
      if (data === 'nothing') expect(ran.stdout).toBe('');
      if (data === 'text') expect(ran.stdout).not.toMatch(/^(?:warning|error|→|←)/m);
    },
  );

  it.each(Object.entries(commandCalls))(
    'is empty after an unknown flag: salon %s',
    async (path, { argv }) => {
      const ran = await salon(`${path} ${argv} --json --no-such-flag`);
      expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
      expect(JSON.parse(ran.stderr)).toMatchObject({
        code: 'usage',
        message: 'Unknown option "--no-such-flag".',
      });
    },
  );

  it.each(Object.entries(commandCalls).filter(([path]) => !isLocal(path)))(
    'is empty without a server: salon %s',
    async (path, { argv }) => {
      const env = { SALON_BASE_URL: 'http://127.0.0.1:9', SALON_API_KEY: 'k' };
      const ran = await salon(`${path} ${argv} --json --retries 0`, { env });
      expect(ran, ran.stderr).toMatchObject({ exitCode: 5, stdout: '' });
      // What a sheet has is said before anything is sent.
      const error = ran.stderr.trimEnd().split('\n').at(-1) ?? '';
      expect(JSON.parse(error)).toMatchObject({ code: 'connection_failed' });
    },
  );
});

function salon(line: string, world: RunOptions = {}) {
  const filled = line.split(' ').filter((word) => word !== '');
  return machine.salon(
    filled.flatMap((word) => (words[word] ?? word).split(' ')),
    world,
  );
}

/** A salon with a few records, two profiles and a key file. Returns the values of the placeholders. */
async function prepare({ salon, home }: Machine): Promise<Readonly<Record<string, string>>> {
  const database = `--database sqlite:${home}/test.db`;
  const { id: accountId } = await read(salon, `server accounts create --name Test ${database}`);
  await addMemberTo(`sqlite:${home}/test.db`, accountId);
  await read(salon, `server seed --clients 5 --appointments 9 ${database}`);
  const { key } = await read(salon, `server keys create --role owner --name k ${database}`);
  const spare = await read(salon, `server keys create --role owner --name spare ${database}`);
  await read(salon, `server keys create --role owner --name revoked ${database}`);
  const env = { SALON_API_KEY: key, SALON_BASE_URL: 'embedded:test' };
  const [appointment] = await read(salon, 'appointments list --limit 1', { env });
  const booking = `--client ${appointment.client_id} --stylist ${appointment.stylist_id} --service Cut`;
  const upcoming = await read(
    salon,
    `appointments create ${booking} --start 2031-02-05T10:00 --duration 30`,
    { env },
  );
  const paid = 'payments record --amount 9 --currency EUR --method card';
  const payment = await read(salon, paid, { env });
  const webhook = await read(salon, 'webhooks create http://127.0.0.1:9/hook', { env });
  const spareWebhook = await read(salon, 'webhooks create http://127.0.0.1:9/spare', { env });
  const delivery = await read(salon, `webhooks test ${webhook.id} --no-wait`, { env });
  await read(salon, 'auth login --base-url embedded:test', { stdin: key });
  await read(salon, 'auth login --base-url embedded:test -p spare', { stdin: key });
  writeFileSync(`${home}/key`, key, { mode: 0o600 });
  writeFileSync(`${home}/salon.log`, '{"time":0,"level":30,"request_id":"req_1","msg":"request"}\n');
  await salon('clients list --param per_page=2 -o clients.csv'.split(' '), { env });
  const entry = await read(
    salon,
    `waitlist add --client ${appointment.client_id} --stylist ${appointment.stylist_id} --service Cut 2031-01-10`,
    { env },
  );
  const [job] = await read(salon, 'jobs list');
  const { id } = await read(salon, 'clients create --set first_name=Planned', { env });
  const duplicate = await read(salon, 'clients create --set first_name=Double', { env });
  writeFileSync(`${home}/notes.csv`, `id,notes\n${id},planned\n`);
  await salon('clients update --file notes.csv --plan-file plan.json'.split(' '), { env });
  writeFileSync(`${home}/list.csv`, 'first_name,email\nNova,nova@example.com\n');
  const visit = `${appointment.client_id},${appointment.stylist_id},Cut,30,2031-03-05T10:00:00Z`;
  writeFileSync(`${home}/visits.csv`, `client_id,stylist_id,service,duration,start_time\n${visit}\n`);
  const edit = await read(salon, 'jobs apply plan.json --yes', { env });
  return {
    APPOINTMENT: appointment.id,
    UPCOMING: upcoming.id,
    ENTRY: entry.id,
    CLIENT: appointment.client_id,
    DUPLICATE: duplicate.id,
    STYLIST: appointment.stylist_id,
    DATABASE: database,
    LOG: 'salon.log',
    KEY: spare.id,
    MEMBER: 'mia@salon.example',
    WEBHOOK: webhook.id,
    SPARE_WEBHOOK: spareWebhook.id,
    DELIVERY: delivery.id,
    PAYMENT: payment.id,
    JOB: job.id,
    EDIT: edit.job,
    PLAN: 'plan.json',
    CLIENTS: 'list.csv',
    BOOKINGS: 'visits.csv',
  };
}

async function addMemberTo(location: string, accountId: string): Promise<void> {
  await using database = await openDatabase(location);
  const environment = { now: () => new Date(), random: (size: number) => randomBytes(size) };
  await addMember(database, environment, { accountId, email: 'mia@salon.example', role: 'viewer' });
}

async function read(salon: Machine['salon'], line: string, world?: RunOptions) {
  const ran = await salon([...line.split(' '), '--json'], world);
  expect(ran, line).toMatchObject({ exitCode: 0 });
  return JSON.parse(ran.stdout);
}
