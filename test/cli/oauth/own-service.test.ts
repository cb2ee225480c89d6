import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../../support/io.ts';
import { sendRequest } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { loginAndVisit } from '../../support/sign-in-elsewhere.ts';
import { allow, cancel, signInVisitor } from '../../support/signed-in-visitor.ts';
import type { Visitor } from '../../support/visitor.ts';

let service: TestService;
let visitor: Visitor;
let machine: Machine;
beforeAll(async () => {
  service = await openTestService({ config: { logLevel: 'info' } });
  await service.addPerson();
  visitor = await signInVisitor(service.origin);
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine[Symbol.dispose]());

const agree = async (address: string) => (await fetch(await allow(visitor, address))).text();

function login(argv: readonly string[] = [], visit = agree) {
  return loginAndVisit(machine, ['--base-url', service.origin, ...argv], visit);
}

describe('signing in to this service', () => {
  it('names the account, the role and the person', async () => {
    const ran = await login();
    expect(ran.stderr).toContain(
      'Signed in to Test salon (pro) as owner, Ana Costa (ana@salon.example). Now using profile default.',
    );
    expect(ran.exitCode).toBe(0);
    const status = await machine.salon(['auth', 'status', '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({
      account: 'Test salon',
      role: 'owner',
      person: 'Ana Costa (ana@salon.example)',
      method: 'oauth',
      stored_in: 'file',
      scopes: expect.arrayContaining(['clients:write', 'audit:read']),
    });
  });

  it('works with every address of a service on this machine', async () => {
    for (const name of ['localhost', '127.0.0.1']) {
      const origin = `http://${name}:${new URL(service.origin).port}`;
      const ran = await loginAndVisit(machine, ['--base-url', `${origin}/api/v1`], agree);
      expect(ran.exitCode, ran.stderr).toBe(0);
      expect((await machine.salon(['clients', 'list'])).exitCode).toBe(0);
    }
  });

  it('is limited to the scopes that were asked for', async () => {
    await login(['--scope', 'clients:read, stylists:read']);
    const ran = await machine.salon(['clients', 'create', '--set', 'first_name=Bo']);
    expect(ran.stderr).toContain('clients:write');
    expect(ran.exitCode).toBe(10);
    expect((await machine.salon(['clients', 'list'])).exitCode).toBe(0);
  });

  it('exits with 4 and saves nothing when the person cancels', async () => {
    const refuse = async (address: string) => (await fetch(await cancel(visitor, address))).text();
    const ran = await login([], refuse);
    expect(ran.stderr).toContain('error: The sign-in was declined');
    expect(ran.exitCode).toBe(4);
    expect((await machine.salon(['auth', 'status'])).exitCode).toBe(2);
  });

  it('exits with 4 for scopes that the service does not have', async () => {
    const asked = async (address: string) => {
      const { pathname, search } = new URL(address);
      const { url } = await visitor.open(pathname + search);
      return (await fetch(url)).text();
    };
    const ran = await login(['--scope', 'clients:read plan:write'], asked);
    expect(ran.stderr).toContain('error: The server does not grant these scopes');
    expect(ran.exitCode).toBe(4);
  });

  it('ends on sign-out, also on the service', async () => {
    await login();
    const config = JSON.parse(readFileSync(join(machine.home, '.config/salon/config.json'), 'utf8'));
    const { access_token: key } = config.profiles.default.oauth.tokens;
    const read = () => sendRequest(`${service.origin}/v1/me`, { key });
    expect((await read()).status).toBe(200);
    const ran = await machine.salon(['auth', 'logout']);
    expect(ran).toMatchObject({ stderr: 'Signed out of profile default.\n', exitCode: 0 });
    expect((await read()).status).toBe(401);
  });

  it('ends when the person disconnects the command line in the settings', async () => {
    await login();
    const { text } = await visitor.open('/settings/apps');
    for (const [path] of text.matchAll(/\/settings\/apps\/grt_\w+\/disconnect/g)) {
      await visitor.press(await visitor.open(path), 'Disconnect');
    }
    const ran = await machine.salon(['clients', 'list']);
    expect(ran.stderr).toBe(
      `error: Your sign-in to ${service.origin} has ended.\n  Sign in again: salon auth login -p default\n`,
    );
    expect(ran.exitCode).toBe(4);
    // The next sign-in works although the service refuses to end the former one again.
    expect((await login()).exitCode).toBe(0);
  });

  it('shows neither codes nor tokens in the log of the service', async () => {
    const ran = await login();
    const logged = service.logged.join('\n');
    expect(logged).toContain('/oauth/token');
    const config = readFileSync(join(machine.home, '.config/salon/config.json'), 'utf8');
    const { access_token: token, refresh_token: refresh } = JSON.parse(config).profiles.default.oauth.tokens;
    for (const secret of [token, refresh]) {
      expect(logged).not.toContain(secret);
      expect(ran.stderr).not.toContain(secret);
    }
  });
});
