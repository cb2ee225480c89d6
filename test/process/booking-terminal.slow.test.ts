import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type SalonClient } from '../../src/client/client.ts';
import { createHome, type Home, launcher } from '../support/salon-process.ts';
import { openTestService, type TestService } from '../support/service.ts';

let home: Home;
let service: TestService;
let client: SalonClient;

beforeAll(async () => {
  home = createHome();
  service = await openTestService({ clients: 0 });
  client = createClient({
    baseUrl: service.origin,
    credential: { kind: 'bearer', token: service.keys.owner },
  });
  await client.clients.create({ first_name: 'Ana', last_name: 'Costa' });
  await client.clients.create({ first_name: 'Ben', last_name: 'Okafor' });
  // Every day, so that tomorrow has free times whatever day it is.
  await client.stylists.create({ first_name: 'Quinn', working_hours: 'mon-sun 09:00-18:00' });
});
afterAll(async () => {
  await client.close();
  home[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

type Step = readonly [after: string, keys: string];

/** While a prompt searches, it draws more often than this, and ignores Enter. */
const restMs = 200;
/** An Enter that is still ignored leaves no check mark, and is typed again with what belongs to it. */
const ignoredMs = 10_000;

/** Runs a command in a real terminal. Keys are typed, in order, once their text is shown and the screen is at rest. */
async function runInTerminal(line: string, steps: readonly Step[], { typedAhead = '', CI = '' } = {}) {
  const child = spawn(
    'script',
    ['-qec', `stty cols 80 rows 40; exec "${process.execPath}" "${launcher}" ${line}`, '/dev/null'],
    {
      cwd: home.folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: home.folder,
        TERM: 'xterm',
        SALON_BASE_URL: service.origin,
        SALON_API_KEY: service.keys.owner,
        SALON_TIME_ZONE: 'UTC',
        CI,
      },
    },
  );
  child.stdin.write(typedAhead);
  const left = [...steps];
  let [shown, unread, typed] = ['', '', ''];
  const type = (keys: string) => {
    [unread, typed] = ['', keys];
    child.stdin.write(keys);
    // A question that is not there yet shows nothing of it.
    typeAgainLater();
  };
  const typeAgainLater = () => {
    clearTimeout(timer);
    if (typed.endsWith('\r') && !unread.includes('✔')) timer = setTimeout(() => type(typed), ignoredMs);
  };
  const atRest = () => {
    const [step] = left;
    if (step !== undefined && unread.includes(step[0])) type(left.shift()?.[1] ?? '');
    else typeAgainLater();
  };
  let timer = setTimeout(atRest, restMs);
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    unread += chunk.toString();
    clearTimeout(timer);
    timer = setTimeout(atRest, restMs);
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { exitCode, shown: shown.replaceAll('\r', ''), left };
}

describe.skipIf(process.platform !== 'linux')('salon book on a real terminal', () => {
  it('books by typing and choosing', async () => {
    const { exitCode, shown, left } = await runInTerminal('book --duration 45m', [
      ['New client', 'costa'],
      ['New client "costa"', '\r'],
      ['Service', 'gloss'],
      ['another service', '\r'],
      ['Anyone free', 'quinn'],
      ['❯ Quinn', '\r'],
      ['Tomorrow, ', 'tomorrow'],
      ['❯ Tomorrow', '\r'],
      ['09:00', '15:30'],
      ['❯ 15:30', '\r'],
      ['❯ Book', '\r'],
    ]);
    expect(left, shown).toEqual([]);
    expect(exitCode).toBe(0);
    expect(shown).toMatch(/Booked gloss for Ana Costa with Quinn, \w+ \d+ \w+ 15:30–16:15/);
  });

  it('prints the command that goes on after Ctrl-C', async () => {
    const { exitCode, shown } = await runInTerminal('book Ben Okafor --duration 45m --service Cut', [
      ['Anyone free', '\x03'],
    ]);
    expect(exitCode).toBe(130);
    expect(shown).toContain('Cancelled. Nothing was changed.');
    expect(shown).toMatch(/To continue: salon book cli_\w+ --service Cut --duration 45$/m);
  });

  it('chooses nobody who was not named at Enter', async () => {
    const { exitCode, shown } = await runInTerminal('book Nobody Known --duration 45m --service Cut', [
      ['New client', '\r'],
      ['Name of the new client', '\x03'],
    ]);
    expect(exitCode).toBe(130);
    expect(shown).toContain('No client matches');
  });

  it.each(['', '--plain '])(
    'takes nothing for an answer that was typed before the question: %s',
    async (flag) => {
      const { id = '' } = await client.clients.create({ first_name: 'Zoe' });
      const steps = [['Delete', 'n\r']] as const;
      const { exitCode, shown } = await runInTerminal(`clients delete ${id} ${flag}`, steps, {
        typedAhead: 'y\ry\ry',
      });
      expect(shown).toContain('Cancelled. Nothing was changed.');
      expect(exitCode).not.toBe(0);
      expect(await client.clients.get(id)).toMatchObject({ first_name: 'Zoe' });
    },
  );

  it('is not asked with CI=true', async () => {
    const { id = '' } = await client.clients.create({ first_name: 'Zia' });
    const { exitCode, shown } = await runInTerminal(`clients delete ${id}`, [], { CI: 'true' });
    expect(exitCode).toBe(8);
    expect(shown).toContain('Add --yes to confirm.');
  });
});
