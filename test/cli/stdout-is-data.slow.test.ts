import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { openDatabase } from '../../src/service/db/database.ts';
import { createMachine, type Machine, type RunOptions } from '../support/io.ts';
import { keepWebhook } from '../support/kept-webhook.ts';
import { addMember } from '../support/members.ts';

/** One successful call of every command; placeholders become IDs below. */
const calls: Readonly<Record<string, { readonly argv: string; readonly data: 'json' | 'text' | 'nothing' }>> =
  {
    today: { argv: '', data: 'json' },
    book: {
      argv: 'CLIENT --stylist STYLIST --service Cut --start 2031-01-06T10:00 --duration 30',
      data: 'json',
    },
    move: { argv: 'UPCOMING 2031-02-06T11:00', data: 'json' },
    calendar: { argv: 'tomorrow', data: 'json' },
    free: { argv: 'tomorrow --duration 45m', data: 'json' },
    'appointments list': { argv: '--limit 3', data: 'json' },
    'appointments calendar': { argv: '--week', data: 'json' },
    'appointments get': { argv: 'APPOINTMENT', data: 'json' },
    'appointments create': {
      argv: '--client CLIENT --stylist STYLIST --service Cut --start 2031-01-05T10:00 --duration 30',
      data: 'json',
    },
    'appointments update': { argv: 'APPOINTMENT --set notes=x', data: 'json' },
    'appointments cancel': { argv: 'UPCOMING --reason ill', data: 'json' },
    'clients list': { argv: '--limit 3', data: 'json' },
    'clients get': { argv: 'CLIENT', data: 'json' },
    'clients create': { argv: '--set first_name=Ana', data: 'json' },
    'clients update': { argv: 'CLIENT --set notes=x', data: 'json' },
    'clients duplicates': { argv: '--sure possible', data: 'json' },
    'clients merge': { argv: 'CLIENT DUPLICATE --yes', data: 'json' },
    'clients delete': { argv: 'CLIENT --yes --force', data: 'json' },
    'stylists list': { argv: '--limit 3', data: 'json' },
    'stylists get': { argv: 'STYLIST', data: 'json' },
    'stylists create': { argv: '--set first_name=Mia', data: 'json' },
    'stylists update': { argv: 'STYLIST --set services:=["Cut"]', data: 'json' },
    'payments list': { argv: '--limit 3', data: 'json' },
    'payments get': { argv: 'PAYMENT', data: 'json' },
    'payments record': { argv: '--amount 4.50 --currency EUR --method cash', data: 'json' },
    'payments refund': { argv: 'PAYMENT --yes', data: 'json' },
    'report revenue': { argv: 'this year --by service', data: 'json' },
    'report no-shows': { argv: 'this year', data: 'json' },
    'report utilisation': { argv: 'this month', data: 'json' },
    'report retention': { argv: '', data: 'json' },
    audit: { argv: '--limit 3', data: 'json' },
    'webhooks list': { argv: '', data: 'json' },
    'webhooks get': { argv: 'WEBHOOK', data: 'json' },
    'webhooks create': { argv: 'http://127.0.0.1:9/x --events booking.*', data: 'json' },
    'webhooks update': { argv: 'WEBHOOK --description x', data: 'json' },
    'webhooks rotate': { argv: 'WEBHOOK', data: 'json' },
    'webhooks test': { argv: 'WEBHOOK --no-wait', data: 'json' },
    'webhooks deliveries': { argv: 'WEBHOOK', data: 'json' },
    'webhooks redeliver': { argv: 'DELIVERY', data: 'json' },
    'webhooks delete': { argv: 'SPARE_WEBHOOK --yes', data: 'json' },
    'webhooks verify': { argv: '--headers headers --body body --secret-file secret', data: 'json' },
    'webhooks listen': { argv: '', data: 'json' },
    'webhooks replay': { argv: '- --forward-to http://127.0.0.1:9/x', data: 'json' },
    'webhooks trigger': { argv: 'booking.created', data: 'json' },
    doctor: { argv: '', data: 'json' },
    'jobs list': { argv: '', data: 'json' },
    'jobs show': { argv: 'JOB', data: 'json' },
    'jobs resume': { argv: 'JOB', data: 'nothing' },
    'jobs apply': { argv: 'PLAN --yes', data: 'json' },
    'jobs results': { argv: 'EDIT', data: 'json' },
    'jobs undo': { argv: 'EDIT --yes', data: 'json' },
    'jobs remove': { argv: 'EDIT --yes', data: 'nothing' },
    'auth login': { argv: '--base-url embedded:test --key-file key', data: 'json' },
    'auth status': { argv: '', data: 'json' },
    'auth logout': { argv: '-p spare', data: 'nothing' },
    'profiles list': { argv: '', data: 'json' },
    'profiles show': { argv: '', data: 'json' },
    'profiles use': { argv: 'default', data: 'nothing' },
    'profiles set': { argv: 'default retries 3', data: 'nothing' },
    'profiles remove': { argv: 'spare --yes', data: 'nothing' },
    'alias set': { argv: 'x clients', data: 'json' },
    'alias list': { argv: '', data: 'json' },
    'alias delete': { argv: 'x', data: 'json' },
    whoami: { argv: '--check', data: 'json' },
    limits: { argv: '', data: 'json' },
    api: { argv: 'GET /clients --param per_page=1', data: 'json' },
    demo: { argv: '', data: 'nothing' },
    'server start': { argv: 'DATABASE --port 0', data: 'text' },
    'server logs': { argv: 'LOG --request req_1', data: 'json' },
    'server seed': { argv: 'DATABASE --clients 1 --appointments 0 --seed 9', data: 'json' },
    'server backup': { argv: 'DATABASE --to copy.db', data: 'json' },
    'server restore': { argv: '--file copy.db --database sqlite:restored.db', data: 'json' },
    'server copy': { argv: 'DATABASE --to sqlite:moved.db', data: 'json' },
    'server check': { argv: 'DATABASE', data: 'json' },
    'server audit verify': { argv: 'DATABASE', data: 'json' },
    'server audit retention': { argv: 'DATABASE --days 400', data: 'json' },
    'server compact': { argv: 'DATABASE', data: 'json' },
    'server secrets status': { argv: 'DATABASE', data: 'json' },
    'server secrets rotate': { argv: 'DATABASE --yes', data: 'json' },
    'server account create': { argv: '--name Other --database sqlite:other.db', data: 'json' },
    'server account second-factor': { argv: 'optional DATABASE', data: 'json' },
    'server user invite': { argv: 'ana@salon.example DATABASE --role manager', data: 'json' },
    'server user list': { argv: 'DATABASE', data: 'json' },
    'server user reset': { argv: 'MEMBER DATABASE', data: 'json' },
    'server user deactivate': { argv: 'MEMBER DATABASE --yes', data: 'json' },
    'server user erase': { argv: 'MEMBER DATABASE --yes', data: 'json' },
    'keys list': { argv: '', data: 'json' },
    'keys create': { argv: '--name till --role viewer', data: 'json' },
    'keys roll': { argv: 'spare', data: 'json' },
    'keys revoke': { argv: 'revoked --yes', data: 'json' },
    'server key list': { argv: 'DATABASE', data: 'json' },
    'server key create': { argv: 'DATABASE --role viewer --name v', data: 'json' },
    'server key revoke': { argv: 'KEY DATABASE --yes', data: 'json' },
    completion: { argv: 'bash', data: 'text' },
    help: { argv: 'exit-codes', data: 'text' },
  };

/** Commands that run until a signal. */
const endless = ['server start', 'webhooks listen'];

let machine: Machine;
let words: Readonly<Record<string, string>>;

beforeAll(async () => {
  machine = createMachine({ env: { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' } });
  words = await prepare(machine);
});
afterAll(() => machine[Symbol.dispose]());

describe('standard output', () => {
  it('has a case for every command', async () => {
    expect(Object.keys(calls).sort()).toEqual((await leaves()).sort());
  });

  it.each(Object.entries(calls))('carries only data: salon %s', async (path, { argv, data }) => {
    const stopped = endless.includes(path) ? { signal: AbortSignal.abort('SIGTERM') } : {};
    const ran = await salon(`${path} ${argv} --json --verbose --debug`, stopped);
    expect(ran.exitCode, ran.stderr).toBe(path === 'webhooks listen' ? 143 : 0);
    if (data === 'json') expect(() => JSON.parse(ran.stdout), ran.stdout).not.toThrow();
    if (data === 'nothing') expect(ran.stdout).toBe('');
    if (data === 'text') expect(ran.stdout).not.toMatch(/^(?:warning|error|→|←)/m);
  });

  it.each(Object.entries(calls))('is empty after an unknown flag: salon %s', async (path, { argv }) => {
    const ran = await salon(`${path} ${argv} --json --no-such-flag`);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(JSON.parse(ran.stderr)).toMatchObject({
      code: 'usage',
      message: 'Unknown option "--no-such-flag".',
    });
  });

  const remote = Object.entries(calls).filter(([path]) =>
    /^(today|calendar|book|move|appointments|clients|stylists|webhooks (?:list|get|create|update|rotate|test|del|redel)|payments|report|api|limits|keys|auth status)/.test(
      path,
    ),
  );
  it.each(remote)('is empty without a server: salon %s', async (path, { argv }) => {
    const env = { SALON_BASE_URL: 'http://127.0.0.1:9', SALON_API_KEY: 'k' };
    const ran = await salon(`${path} ${argv} --json --retries 0`, { env });
    expect(ran).toMatchObject({ exitCode: 5, stdout: '' });
    expect(JSON.parse(ran.stderr)).toMatchObject({ code: 'connection_failed' });
  });
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
  const { id: accountId } = await read(salon, `server account create --name Test ${database}`);
  await addMemberTo(`sqlite:${home}/test.db`, accountId);
  await read(salon, `server seed --clients 5 --appointments 9 ${database}`);
  const { key } = await read(salon, `server key create --role owner --name k ${database}`);
  const spare = await read(salon, `server key create --role owner --name spare ${database}`);
  await read(salon, `server key create --role owner --name revoked ${database}`);
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
  const [job] = await read(salon, 'jobs list');
  const { id } = await read(salon, 'clients create --set first_name=Planned', { env });
  const duplicate = await read(salon, 'clients create --set first_name=Double', { env });
  writeFileSync(`${home}/notes.csv`, `id,notes\n${id},planned\n`);
  await salon('clients update --file notes.csv --plan-file plan.json'.split(' '), { env });
  const edit = await read(salon, 'jobs apply plan.json --yes', { env });
  keepWebhook(home, new Date());
  return {
    APPOINTMENT: appointment.id,
    UPCOMING: upcoming.id,
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

async function leaves(): Promise<string[]> {
  const runner = { action: () => async () => {}, exitCode: 0, isJson: false };
  const terminal = { input: false, output: false, messages: false, columns: 80, rows: 24 };
  const program = await buildProgram({ runner, io: { stdout: process.stdout, terminal } });
  const walk = (command: Command, path: string): string[] =>
    command.commands.length === 0
      ? [path.trim()]
      : command.commands.flatMap((child) => walk(child, `${path} ${child.name()}`));
  return walk(program, '');
}
