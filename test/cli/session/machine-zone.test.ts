import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemIo } from '../../../src/cli/io.ts';
import { createMachine } from '../../support/io.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { peopleNow } from '../../support/people-salon.ts';

const appointment = {
  ...{ id: 'a1', client_id: 'c1', stylist_id: 's1', service: 'Cut', duration: 30, status: 'confirmed' },
  start_time: '2026-11-24T21:30:00Z',
};
const paged = (rows: readonly object[]) =>
  json({ data: rows, pagination: { page: 1, per_page: 200, total: rows.length } });

/** Our lists, but neither /me, /salon nor a version of settings. */
let server: Awaited<ReturnType<typeof openMisbehavingServer>>;
const asked: string[] = [];
beforeAll(async () => {
  server = await openMisbehavingServer((request) => {
    asked.push(`${request.method} ${request.path}`);
    const path = request.path.split('?')[0] ?? '';
    if (path.endsWith('/appointments')) return paged([appointment]);
    if (path.endsWith('/clients')) return paged([{ id: 'c1', first_name: 'Nia', last_name: 'Test' }]);
    return json({ error: 'nope' }, { status: 404 });
  });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Runs a command with a saved profile on a machine with a variable TZ, as the second command of the profile. */
async function runWithTz(TZ: string, words: string, env: Readonly<Record<string, string>> = {}) {
  const { timeZone = null } = systemIo({ ...process, env: { ...process.env, TZ } } as NodeJS.Process);
  using machine = createMachine({ now: peopleNow, env: { TZ, ...env }, timeZone });
  const login = ['auth', 'login', '--base-url', server.origin, '--with-key', '--no-verify'];
  expect((await machine.salon(login, { stdin: 'k' })).exitCode).toBe(0);
  await machine.salon(['calendar', '2026-11-25']);
  asked.length = 0;
  return await machine.salon([...words.split(' '), '--no-pager'], { columns: 160 });
}

describe('a server that names no time zone', () => {
  it.each([
    ['Europe/Berlin', '22:30'],
    [':/usr/share/zoneinfo/Asia/Tokyo', '06:30'],
    ['JST-9', '06:30'],
    ['UTC', '21:30'],
  ])('has times in that of the machine, as with TZ=%s', async (TZ, time) => {
    const listed = await runWithTz(TZ, 'appointments list');
    expect(listed.exitCode, listed.stderr).toBe(0);
    expect(listed.stdout).toContain(time);
    expect(asked.filter((one) => one.includes('salon'))).toEqual([]);
  });

  it.each(['CET-1CEST,M3.5.0,M10.5.0/3', '', '/home/ana/zone', 'Mars/Olympus'])(
    'has none on a machine with TZ=%s: what shows or reads times is refused, other commands work',
    async (TZ) => {
      for (const words of ['appointments list', 'calendar tomorrow', 'book c1 2026-11-24 10:00 --yes']) {
        const refused = await runWithTz(TZ, words);
        expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
        expect(refused.stderr).toContain(`TZ is "${TZ}"`);
        expect(refused.stderr).not.toContain('undefined');
        expect(refused.stderr).toContain('SALON_TIME_ZONE=Europe/Berlin');
      }
      for (const words of ['clients list', 'appointments list --json', 'whoami', 'profiles show']) {
        const ran = await runWithTz(TZ, words);
        expect(ran.exitCode, ran.stderr).toBe(0);
      }
      const listed = await runWithTz(TZ, 'appointments list', { SALON_TIME_ZONE: 'Europe/Berlin' });
      expect(listed.stdout).toContain('22:30');
    },
  );

  it('is said where local times are read', async () => {
    const { stderr } = await runWithTz('Asia/Tokyo', 'calendar 2026-11-25');
    expect(stderr).toContain('The server does not name the time zone of the salon; assuming Asia/Tokyo.');
    expect(stderr).toContain('salon profiles set default time_zone Asia/Tokyo');
  });
});

it('settings that are numbers, lists and objects fail only the commands that need them', async () => {
  const me = { account: { id: 'acc_1', name: 'Lumen', plan: 'pro' }, role: 'owner', scopes: [] };
  const garbage = { time_zone: 42, currency: { code: 'EUR' }, country: true, opening_hours: ['mon'] };
  await using strange = await openMisbehavingServer(({ path }) => {
    if (path.endsWith('/me')) return json(me);
    if (path.endsWith('/salon')) return json(garbage);
    return paged(path.endsWith('/appointments') ? [appointment] : []);
  });
  using machine = createMachine({ now: peopleNow });
  const login = ['auth', 'login', '--base-url', strange.origin, '--with-key'];
  const signedIn = await machine.salon(login, { stdin: 'k' });
  expect(signedIn.exitCode, signedIn.stderr).toBe(0);
  const run = (words: string) => machine.salon([...words.split(' '), '--no-pager'], { columns: 160 });
  for (const words of ['whoami --check', 'settings show', 'api GET salon', 'profiles show', 'clients list']) {
    const { exitCode, stderr } = await run(words);
    expect({ words, exitCode, stderr }).toMatchObject({ exitCode: 0 });
  }
  const refused = await run('appointments list');
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain(`The salon's time_zone needs a time zone, not "42".`);
});
