import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../support/io.ts';
import { type Home, runSalon, startSalon } from '../support/salon-process.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { loginAndVisit } from '../support/sign-in-elsewhere.ts';
import { allow, signInVisitor } from '../support/signed-in-visitor.ts';
import { isLong } from '../support/speed.ts';
import { openTokenRelay, type TokenHooks, type TokenRelay } from '../support/token-relay.ts';

const commands = isLong ? 100 : 12;
const kills = isLong ? 100 : 4;

let relay: TokenRelay;
let service: TestService;
let machine: Machine;
let home: Home;
beforeEach(async () => {
  relay = await openTokenRelay();
  service = await openTestService({ config: { publicUrl: relay.origin } });
  relay.target = service.origin;
  await service.addPerson();
  machine = createMachine();
  home = { folder: machine.home, [Symbol.dispose]() {} };
  const visitor = await signInVisitor(relay.origin);
  const visit = async (address: string) => (await fetch(await allow(visitor, address))).text();
  const ran = await loginAndVisit(machine, ['--base-url', relay.origin], visit);
  if (ran.exitCode !== 0) throw new Error(ran.stderr);
});
afterEach(async () => {
  await relay[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  machine[Symbol.dispose]();
});

const list = ['clients', 'list', '-f', 'json'];

/** As if the hour of the access token had passed on this machine. */
function expireAccessToken(): void {
  const path = join(home.folder, '.config/salon/config.json');
  const config = JSON.parse(readFileSync(path, 'utf8'));
  const past = '2026-01-01T00:00:00.000Z';
  Object.assign(config.profiles.default.oauth.tokens, { expires_at: past, renew_at: past });
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
}

/** Kills before the service is asked, while it answers, before the answer arrives, and at some time after it. */
function killAt(moment: number, child: ChildProcess, reach: () => void): TokenHooks {
  const kill = () => {
    child.kill('SIGKILL');
    return false;
  };
  const reachAndKill = () => {
    reach();
    return kill();
  };
  const laterMs = Math.floor(moment / 4);
  const kinds: TokenHooks[] = [
    { asked: reachAndKill },
    { passed: reachAndKill },
    { answered: reachAndKill },
    {
      delivered() {
        reach();
        setTimeout(kill, laterMs);
      },
    },
  ];
  return kinds[moment % kinds.length] ?? {};
}

describe('a sign-in to this service', () => {
  it(`is renewed once for ${commands} commands that start together`, async () => {
    expireAccessToken();
    const before = relay.asked();
    const ran = await Promise.all(Array.from({ length: commands }, () => runSalon(list, { home })));
    expect(ran.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    expect(relay.asked() - before).toBe(1);
  });

  it(`survives kill -9 at ${kills} moments of a renewal`, { timeout: 600_000 }, async () => {
    const reached = new Set<number>();
    for (let moment = 0; moment < kills; moment++) {
      expireAccessToken();
      const child = startSalon(list, { home });
      const ended = once(child, 'close');
      relay.hooks = killAt(moment, child, () => reached.add(moment));
      await ended;
      relay.hooks = {};
      const next = await runSalon(list, { home });
      expect(next, `moment ${moment}: ${next.stderr}`).toMatchObject({ exitCode: 0 });
    }
    // Unless every command was killed while it renewed, nothing was tried.
    expect(reached.size).toBe(kills);
  });
});
