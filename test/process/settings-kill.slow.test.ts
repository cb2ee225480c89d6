import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProfileStore } from '../../src/cli/session/profiles.ts';
import { json, type MisbehavingServer, openMisbehavingServer } from '../support/misbehaving-server.ts';
import { createHome, finish, type Home, startSalon } from '../support/salon-process.ts';
import { bySpeed } from '../support/speed.ts';

const rounds = bySpeed({ full: 1, long: 10 });

/** A server with another prefix and another envelope, so that every list detects something. */
function openForeignServer(): Promise<MisbehavingServer> {
  return openMisbehavingServer(({ path }) => {
    if (path.startsWith('/v1/clients')) return json({ results: [{ id: 'c1', first_name: 'Ana' }], total: 1 });
    return json({ message: 'Not found' }, { status: 404 });
  });
}

const settings = [
  ['time_zone', 'Europe/Berlin', 'Europe/Berlin'],
  ['format', 'csv', 'csv'],
  ['timeout', '90s', '90s'],
  ['retries', '5', 5],
  ['rate', '100/m', '100/m'],
] as const;

interface Step {
  readonly argv: readonly string[];
  /** Whether it can be killed: its change may then be saved or not. */
  readonly victim?: boolean;
}

/** The commands of one round, all at once. No two change the same member. */
function toSteps(round: number, origin: string): Step[] {
  const shop = `shop-${round}`;
  const set = settings.map(([name, value]) => ({ argv: ['profiles', 'set', shop, name, value] }));
  const list = (profile: string) => ({ argv: ['clients', 'list', '-p', profile], victim: true });
  return [
    list(shop),
    list(`leaving-${round}`),
    list(`gone-${round}`),
    { argv: ['auth', 'login', '-p', `new-${round}`, '--base-url', origin, '--key-file', 'key'] },
    ...set,
    { argv: ['auth', 'logout', '-p', `leaving-${round}`] },
    { argv: ['profiles', 'remove', `gone-${round}`, '--yes'] },
    { argv: ['clients', 'list', '-p', shop, '-o', `clients-${round}.csv`] },
    { argv: ['profiles', 'set', shop, 'max_wait', '9s'], victim: true },
    {
      argv: ['auth', 'login', '-p', `doubtful-${round}`, '--base-url', origin, '--key-file', 'key'],
      victim: true,
    },
  ];
}

const isRunning = ({ exitCode, signalCode, killed }: ChildProcess) =>
  exitCode === null && signalCode === null && !killed;

function openStore(home: Home) {
  return openProfileStore({ env: {}, homeFolder: home.folder, platform: process.platform, cwd: home.folder });
}

describe('settings', () => {
  it(`survive ${rounds * 14} commands at once, some of them killed`, async () => {
    await using server = await openForeignServer();
    using home = createHome();
    writeFileSync(join(home.folder, 'key'), 'k-login', { mode: 0o600 });
    const store = openStore(home);
    const dialect = { prefix: '/v1', paging: 'none' };
    await store.change((profiles) => {
      for (let round = 0; round < rounds; round += 1) {
        for (const name of ['shop', 'leaving', 'gone']) {
          const credential = { key: `k-${name}`, origin: server.origin };
          profiles.save(`${name}-${round}`, { base_url: server.origin, credential, dialect });
        }
      }
    });
    const steps = Array.from({ length: rounds }, (_, round) => toSteps(round, server.origin)).flat();
    const victims: ChildProcess[] = [];
    const ended = await Promise.all(
      steps.map(async ({ argv, victim = false }) => {
        const child = startSalon(argv, { home });
        if (victim) victims.push(child);
        const result = await finish(child);
        // Whenever a command ends, another is somewhere in its work.
        if (!victim) victims.find(isRunning)?.kill('SIGKILL');
        return { line: argv.join(' '), victim, ...result };
      }),
    );
    // A list may find its profile without key, or removed.
    const mayFail = /^clients list -p (?:leaving|gone)/;
    const failed = ended.filter(
      ({ line, victim, signal, exitCode }) => exitCode !== 0 && !(victim && signal) && !mayFail.test(line),
    );
    expect(failed.map(({ line, exitCode, stderr }) => `${line}: ${exitCode} ${stderr}`)).toEqual([]);

    const saved = store.all();
    for (let round = 0; round < rounds; round += 1) {
      const set = Object.fromEntries(settings.map(([name, , value]) => [name, value]));
      expect(saved[`shop-${round}`]).toMatchObject({ ...set, credential: { key: 'k-shop' } });
      expect(saved[`new-${round}`]).toMatchObject({ credential: { key: 'k-login', origin: server.origin } });
      expect(saved[`leaving-${round}`]).toEqual({ base_url: server.origin, dialect });
      expect(saved[`gone-${round}`]).toBeUndefined();
    }
    const acknowledged = ended.filter(({ victim, exitCode }) => victim && exitCode === 0);
    for (const { line } of acknowledged) {
      const [, name = ''] = /-p (doubtful-\d+)/.exec(line) ?? [];
      if (name) expect(saved[name]).toMatchObject({ credential: { key: 'k-login' } });
    }
    expect(ended.some(({ signal }) => signal === 'SIGKILL')).toBe(true);

    // Copies of killed processes go with the next change, so a removed key is nowhere.
    await store.change((profiles) => profiles.use('shop-0'));
    const folder = join(home.folder, '.config/salon');
    const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'));
    expect(texts.filter((text) => /k-leaving|k-gone/.test(text))).toEqual([]);
  });
});
