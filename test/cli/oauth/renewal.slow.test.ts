import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../../support/io.ts';
import { type OidcServer, openOidcServer } from '../../support/oidc-server.ts';
import { loginAndVisit, openInBrowser } from '../../support/sign-in-elsewhere.ts';

const hourMs = 3_600_000;
const later = () => ({ now: new Date(Date.now() + 1.5 * hourMs) });

type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean;

let machine: Machine;
let server: OidcServer;
let intercept: Intercept;
beforeEach(async () => {
  intercept = () => false;
  machine = createMachine();
  server = await openOidcServer({ intercept: (...request) => intercept(...request) });
  const argv = ['--base-url', server.origin, '--client-id', 'studio-app'];
  await loginAndVisit(machine, argv, openInBrowser(server.origin));
});
afterEach(async () => {
  machine[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

const list = ['clients', 'list', '-c', 'first_name'];
const readTokens = () =>
  JSON.parse(readFileSync(join(machine.home, '.config/salon/config.json'), 'utf8')).profiles.default.oauth
    .tokens;
/** A time so much before the access token expires, however long the sign-in took. */
const beforeExpiry = (ms: number) => ({ now: new Date(Date.parse(readTokens().expires_at) - ms) });

/** Answers requests to these paths, the first so many. */
function answerTo(path: RegExp, status: number, times = Number.POSITIVE_INFINITY) {
  let count = 0;
  intercept = ({ url = '' }, response) => {
    if (!path.test(url) || ++count > times) return false;
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>No</h1>');
    return true;
  };
  return () => count;
}

describe('a sign-in', () => {
  it('is used as it is until shortly before its access token expires', async () => {
    await machine.salon(list, beforeExpiry(70_000));
    expect(server.grants).toEqual(['authorization_code']);
  });

  it('is renewed once when the access token is about to expire, and the new tokens are saved', async () => {
    const before = readTokens();
    const ran = await machine.salon(list, beforeExpiry(50_000));
    expect(ran).toMatchObject({ stdout: 'first_name\nZoe\n', stderr: '', exitCode: 0 });
    expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
    expect(readTokens().refresh_token).not.toBe(before.refresh_token);
    expect(server.accepted.at(-1)).toBe(readTokens().access_token);
  });

  it('is renewed when the server refuses a token that looks valid, and the request is repeated', async () => {
    answerTo(/clients/, 401, 1);
    const ran = await machine.salon(list);
    expect(ran).toMatchObject({ stdout: 'first_name\nZoe\n', exitCode: 0 });
    expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
  });

  it('is renewed once for a server that refuses every token', async () => {
    answerTo(/clients/, 401);
    const ran = await machine.salon(list);
    expect(ran.exitCode).toBe(4);
    expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
  });

  it('ends with exit code 4 and the way back when the server has revoked it', async () => {
    await server.revokeAll();
    const ran = await machine.salon(list, later());
    expect(ran.stderr).toBe(
      `error: Your sign-in to ${server.origin} has ended.\n  Sign in again: salon auth login -p default\n`,
    );
    expect(ran.exitCode).toBe(4);
  });

  it('survives a server that cannot renew for a while', async () => {
    const before = readTokens();
    const sent = answerTo(/token/, 503);
    const ran = await machine.salon(list, later());
    expect(ran.exitCode).toBe(5);
    expect(sent()).toBe(3);
    intercept = () => false;
    expect(readTokens()).toEqual(before);
    expect((await machine.salon(list, later())).exitCode).toBe(0);
  });

  it('keeps using a valid token while the server cannot renew it', async () => {
    answerTo(/token/, 503);
    const ran = await machine.salon(list, beforeExpiry(30_000));
    expect(ran).toMatchObject({ stdout: 'first_name\nZoe\n', exitCode: 0 });
  });

  it('is renewed by the next attempt when a response of the server is lost', async () => {
    let isCut = false;
    intercept = ({ url = '', method }, response) => {
      if (isCut || method !== 'POST' || !url.endsWith('/token')) return false;
      isCut = true;
      response.destroy();
      return true;
    };
    expect((await machine.salon(list, later())).exitCode).toBe(0);
    expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
  });

  it('is renewed once by commands that run at the same time', async () => {
    const runs = await Promise.all(Array.from({ length: 20 }, () => machine.salon(list, later())));
    expect(runs.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
  });

  it('is not sent to another server', async () => {
    await using other = await openOidcServer();
    const ran = await machine.salon([...list, '--base-url', other.origin]);
    expect(ran.stderr).toContain(`The saved sign-in belongs to ${server.origin}, not to ${other.origin}.`);
    expect(ran.exitCode).toBe(4);
  });

  it('is overridden by an API key from the environment', async () => {
    const ran = await machine.salon(list, { env: { SALON_API_KEY: 'sk_other' } });
    expect(ran.exitCode).toBe(4);
    expect(server.accepted.length).toBe(1);
  });
});

describe('signing out', () => {
  it('ends the sign-in at the server, and removes it from the profile', async () => {
    const { access_token: token, refresh_token: refresh } = readTokens();
    const ran = await machine.salon(['auth', 'logout']);
    expect(ran).toMatchObject({ stderr: 'Signed out of profile default.\n', exitCode: 0 });
    const list = (sent: string) =>
      fetch(`${server.origin}/clients`, { headers: { authorization: `Bearer ${sent}` } });
    expect((await list(token)).status).toBe(401);
    const form = { grant_type: 'refresh_token', refresh_token: refresh, client_id: 'studio-app' };
    const renewed = await fetch(`${server.origin}/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    expect(await renewed.json()).toMatchObject({ error: 'invalid_grant' });
    const profiles = await machine.salon(['profiles', 'list', '--json']);
    expect(JSON.parse(profiles.stdout)).toMatchObject([{ name: 'default', signed_in: false }]);
  });

  it('waits for a command that renews the sign-in, and ends what that command has got', async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    let isHeld = false;
    intercept = (request, response) => {
      if (isHeld || request.url !== '/token') return false;
      isHeld = true;
      asked.resolve();
      void answer.promise.then(() => server.handle(request, response));
      return true;
    };
    const listing = machine.salon(list, later());
    await asked.promise;
    const leaving = machine.salon(['auth', 'logout']);
    answer.resolve();
    expect((await leaving).exitCode).toBe(0);
    await listing;
    expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
    const kept = readFileSync(join(machine.home, '.config/salon/config.json'), 'utf8');
    expect(kept).not.toContain('token');
    const reading = server.accepted.map((token) =>
      fetch(`${server.origin}/clients`, { headers: { authorization: `Bearer ${token}` } }),
    );
    expect((await Promise.all(reading)).map(({ status }) => status)).toEqual(server.accepted.map(() => 401));
  });

  it('exits with 5 if the server cannot be reached, but signs out locally', async () => {
    answerTo(/revocation/, 503);
    const ran = await machine.salon(['auth', 'logout']);
    expect(ran.stderr).toContain(
      `error: Signed out on this machine, but ${server.origin} did not confirm it:`,
    );
    expect(ran.exitCode).toBe(5);
    expect((await machine.salon(list)).exitCode).toBe(4);
  });

  it('ends the former sign-in when a new one replaces it', async () => {
    const { access_token: former } = readTokens();
    const argv = ['--base-url', server.origin];
    await loginAndVisit(machine, argv, openInBrowser(server.origin));
    const response = await fetch(`${server.origin}/clients`, {
      headers: { authorization: `Bearer ${former}` },
    });
    expect(response.status).toBe(401);
    expect((await machine.salon(list)).exitCode).toBe(0);
  });

  it('comes with the removal of the profile', async () => {
    const { access_token: token } = readTokens();
    await machine.salon(['profiles', 'remove', 'default', '--yes']);
    const response = await fetch(`${server.origin}/clients`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(401);
  });
});
