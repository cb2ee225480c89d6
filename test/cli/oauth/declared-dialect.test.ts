import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../../support/io.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { type OidcServer, openOidcServer } from '../../support/oidc-server.ts';
import { loginAndVisit, openInBrowser } from '../../support/sign-in-elsewhere.ts';

const names = ['Ana', 'Bea', 'Cleo', 'Dora', 'Eva'];

interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

let machine: Machine;
let server: OidcServer;
let tokens: Set<string>;
let refused: Set<string>;
/** Addresses of the authorization server that were sent headers of the dialect. */
let leaked: string[];
beforeEach(async () => {
  [tokens, refused, leaked] = [new Set(), new Set(), []];
  machine = createMachine();
  server = await openOidcServer({ intercept });
});
afterEach(async () => {
  machine[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

/** People below /crm as Django REST framework lists them, with `LimitOffsetPagination` and `max_limit = 2`. */
function answer({ path, query, headers }: Asked) {
  const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
  if (token === undefined || refused.has(token)) return json({ detail: 'Invalid token.' }, { status: 401 });
  // Headers that the dialect declares are needed, too.
  if (headers['x-tenant'] !== 'aurora') return json({ detail: 'No tenant.' }, { status: 400 });
  tokens.add(token);
  if (path === '/crm/people')
    return json({}, { status: 301, headers: { location: `http://${headers.host}/crm/people/` } });
  if (path !== '/crm/people/') return json({ detail: 'Not found.' }, { status: 404 });
  const limit = Math.min(2, Number(query.get('limit') ?? 2));
  const end = Number(query.get('offset') ?? 0) + limit;
  const next = `http://${headers.host}/crm/people/?limit=${limit}&offset=${end}`;
  const results = names.map((first_name, index) => ({ id: index + 1, first_name })).slice(end - limit, end);
  return json({
    count: names.length,
    next: end < names.length ? next : null,
    previous: null,
    results,
  });
}

function intercept({ url = '', headers }: IncomingMessage, response: ServerResponse): boolean {
  const { pathname: path, searchParams: query } = new URL(url, 'http://server');
  if (path.startsWith('/crm/')) answer({ path, query, headers })(response);
  else if (headers['x-tenant'] !== undefined) leaked.push(path);
  return path.startsWith('/crm/');
}

const tenant = ['--set', 'dialect.headers.x-tenant=aurora'];
const place = ['--set', 'prefix=/crm', '--set', 'resources=clients=people', ...tenant];
const login = (baseUrl: string, ...argv: string[]) =>
  loginAndVisit(
    machine,
    ['--base-url', baseUrl, '--client-id', 'studio-app', ...argv],
    openInBrowser(server.origin),
  );
const listNames = async () => {
  const { stdout, stderr } = await machine.salon(['clients', 'list', '-c', 'first_name']);
  return { names: stdout.trim().split('\n').slice(1), stderr };
};

describe('a sign-in to a server of another kind', () => {
  it.each([
    ['whose dialect is given', ['--dialect', 'django', ...place]],
    ['whose dialect is found at the place that is given', place],
  ])('reads every page of one %s, with a new token once one is refused', async (_which, argv) => {
    expect((await login(server.origin, ...argv)).stderr).toContain('Now using profile default.');
    expect(await listNames()).toEqual({ names, stderr: '' });
    refused = new Set(tokens);
    expect(await listNames()).toEqual({ names, stderr: '' });
    expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
  });

  it('keeps the dialect and the app with the next sign-in', async () => {
    await login(server.origin, '--dialect', 'django', ...place);
    const again = await loginAndVisit(machine, ['-p', 'default'], openInBrowser(server.origin));
    expect(again.exitCode).toBe(0);
    expect(await listNames()).toEqual({ names, stderr: '' });
    expect(server.grants).toEqual(['authorization_code', 'authorization_code']);
  });

  it('detects paging again, and says what doctor and status can know', async () => {
    await login(server.origin, ...place);
    const detected = await machine.salon(['profiles', 'detect']);
    expect(detected).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('answers like django') });
    expect(await listNames()).toEqual({ names, stderr: '' });
    const status = JSON.parse((await machine.salon(['auth', 'status', '--json'])).stdout);
    expect(status).toMatchObject({ signed_in: true, account: null, method: 'oauth' });
    const doctor = await machine.salon(['doctor', '--json']);
    expect(doctor.exitCode).toBe(0);
    expect(doctor.stdout).toContain('Its lists are paged as the dialect says');
  });

  it('works where people sign in at another address, which gets no headers of the dialect', async () => {
    await using api = await openMisbehavingServer((request) => answer(request));
    const argv = ['--issuer', server.origin, '--dialect', 'django', ...place];
    expect((await login(api.origin, ...argv)).exitCode).toBe(0);
    expect(await listNames()).toEqual({ names, stderr: '' });
    refused = new Set(tokens);
    expect(await listNames()).toEqual({ names, stderr: '' });
    expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
    const signedOut = await machine.salon(['auth', 'logout']);
    expect(signedOut).toMatchObject({ exitCode: 0, stderr: 'Signed out of profile default.\n' });
    expect(leaked).toEqual([]);
  });
});
