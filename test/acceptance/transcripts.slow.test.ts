import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../support/io.ts';
import { keepWebhook } from '../support/kept-webhook.ts';
import { runTranscript } from '../support/transcript.ts';

const folder = join(import.meta.dirname, 'transcripts');

/** The sample salon, and so what a transcript shows, depends on the day it is made. */
const now = new Date('2026-11-21T12:00:00Z');

function openMachine(): Machine {
  const env = { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' };
  return createMachine({ timeZone: 'Europe/Berlin', env });
}

describe('transcripts', () => {
  let signedIn: Machine;
  beforeAll(async () => {
    signedIn = openMachine();
    await signIn(signedIn);
  });
  afterAll(() => signedIn[Symbol.dispose]());

  it.each(readdirSync(folder))('%s runs as written', async (name) => {
    using machine = openMachine();
    cpSync(signedIn.home, machine.home, { recursive: true });
    keepWebhook(machine.home, now);
    expect(await runTranscript(readFileSync(join(folder, name), 'utf8'), machine, { now })).toEqual([]);
  });
});

/** Creates a small embedded salon in Berlin and signs in its owner. */
async function signIn(machine: Machine): Promise<void> {
  const database = ['--database', `sqlite:${machine.home}/test.db`];
  await succeed(machine, ['server', 'accounts', 'create', '--name', 'Transcript', ...database]);
  await succeed(machine, ['server', 'seed', '--clients', '10', '--appointments', '40', ...database]);
  const key = await succeed(machine, [
    'service',
    'key',
    'create',
    '--role',
    'owner',
    '--name',
    'k',
    '--json',
    ...database,
  ]);
  await succeed(machine, ['auth', 'login', '--base-url', 'embedded:test'], JSON.parse(key).key);
  await succeed(machine, ['settings', 'set', 'time_zone', 'Europe/Berlin', '--yes']);
}

async function succeed(machine: Machine, argv: readonly string[], stdin?: string): Promise<string> {
  const ran = await machine.salon(argv, { now, ...(stdin === undefined ? {} : { stdin }) });
  expect(ran, argv.join(' ')).toMatchObject({ exitCode: 0 });
  return ran.stdout;
}
