import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine, type RunOptions } from '../../support/io.ts';
import {
  html,
  json,
  type MisbehavingServer,
  openMisbehavingServer,
  type Reply,
} from '../../support/misbehaving-server.ts';
import { openOidcServer } from '../../support/oidc-server.ts';

let machine: Machine;
beforeEach(() => {
  machine = createMachine({ env: { BROWSER: '/bin/true' } });
});
afterEach(() => machine[Symbol.dispose]());

const atTerminal = { columns: 100, stdin: 'sk_typed\n' };

function login(origin: string, argv: readonly string[] = [], options: RunOptions = atTerminal) {
  return machine.salon(['auth', 'login', '--plain', '--base-url', origin, ...argv], options);
}

/** A salon with a list of clients, and an answer to every search for metadata. */
function openSalon(metadata: (origin: string, path: string) => Reply): Promise<MisbehavingServer> {
  return openMisbehavingServer(({ path, headers }) =>
    path.startsWith('/.well-known/') || path.includes('/.well-known/')
      ? metadata(`http://${headers.host}`, path)
      : json({ data: [], pagination: { page: 1, per_page: 50, total: 0 } }),
  );
}

const endpoints = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  response_types_supported: ['code'],
  scopes_supported: ['clients:read'],
});

const none: Reply = json({ error: 'not found' }, { status: 404 });
const searches = ({ received }: MisbehavingServer) =>
  received.map(({ path }) => path).filter((path) => path.includes('.well-known'));

describe('an API key is meant', () => {
  it.each([
    ['by a pipe', [], { stdin: 'sk_piped' }],
    ['by --key-file -', ['--key-file', '-'], { stdin: 'sk_piped' }],
    ['by --with-key at a terminal', ['--with-key'], atTerminal],
    ['by --no-verify at a terminal', ['--no-verify'], atTerminal],
  ])('%s, and nobody looks for OAuth', async (_how, argv, options) => {
    await using salon = await openSalon(() => json({}));
    expect((await login(salon.origin, argv, options)).exitCode).toBe(0);
    expect(searches(salon)).toEqual([]);
  });

  it.each([
    ['without metadata', () => none],
    ['that answers everything with a page', () => html('Welcome')],
    ['that sends unknown paths elsewhere', () => html('', { status: 302, headers: { location: '/' } })],
    ['that answers everything with JSON of its own', () => json({ data: [] })],
  ])('at a terminal on a server %s', async (_kind, metadata) => {
    await using salon = await openSalon(metadata);
    const ran = await login(salon.origin);
    expect(ran.stderr).toContain(`Signed in to ${salon.origin}.`);
    expect(ran.stderr).not.toContain('warning');
    expect(ran.exitCode).toBe(0);
    expect(salon.received.at(-1)?.headers.authorization).toBe('Bearer sk_typed');
  });

  it('on a server that fails at unknown paths, which is said', async () => {
    await using salon = await openSalon(() => html('Oops', { status: 500 }));
    const ran = await login(salon.origin);
    expect(ran.stderr).toContain(`warning: ${salon.origin} cannot sign you in right now. Using an API key.`);
    expect(ran.exitCode).toBe(0);
  });

  it('on a server that does not know this app', async () => {
    await using server = await openOidcServer();
    const ran = await login(server.origin);
    expect(ran.stderr).toContain(
      `${server.origin} supports OAuth. To use it, register an app there and pass its --client-id.`,
    );
    expect(ran.stderr).not.toContain('Opening your browser');
  });
});

describe('metadata that cannot be trusted', () => {
  it.each([
    ['names another issuer', (origin: string) => ({ ...endpoints(origin), issuer: 'https://evil.example' })],
    [
      'sends the browser to a file',
      (origin: string) => ({ ...endpoints(origin), authorization_endpoint: 'file:///etc/passwd' }),
    ],
    [
      'sends codes where others can read them',
      (origin: string) => ({ ...endpoints(origin), token_endpoint: 'http://salon.example/token' }),
    ],
  ])('leads to an API key if it %s', async (_what, metadata) => {
    await using salon = await openSalon((origin) => json(metadata(origin)));
    const ran = await login(salon.origin);
    expect(ran.stderr).toMatch(/warning: .*Using an API key\./);
    expect(ran.stderr).not.toContain('Opening your browser');
    expect(ran.exitCode).toBe(0);
  });

  it('is an error where OAuth was asked for', async () => {
    await using salon = await openSalon(() => json(endpoints('https://evil.example')));
    const ran = await login(salon.origin, ['--issuer', salon.origin]);
    expect(ran.stderr).toContain('did not respond like an OAuth server');
    expect(ran.exitCode).toBe(1);
  });
});

describe('OAuth that is asked for', () => {
  it.each([
    [['--device', '--with-key'], '--device cannot be combined with an API key.'],
    [['--scope', 'clients:read', '--key-file', 'key'], '--scope cannot be combined with an API key.'],
  ])('contradicts a key: %j', async (argv, message) => {
    const ran = await login('http://127.0.0.1:9', argv);
    expect(ran.stderr).toContain(`error: ${message}`);
    expect(ran.exitCode).toBe(2);
  });

  it('is refused over plain HTTP, and for embedded salons', async () => {
    const remote = await login('http://salon.example', ['--device']);
    expect(remote.stderr).toContain('is not safe: the connection is not encrypted.');
    const embedded = await login('embedded:demo', ['--device']);
    expect(embedded.stderr).toContain('Embedded salons do not support signing in.');
    expect([remote.exitCode, embedded.exitCode]).toEqual([2, 2]);
  });

  it('fails on a server without metadata', async () => {
    await using salon = await openSalon(() => none);
    const ran = await login(salon.origin, ['--device']);
    expect(ran.stderr).toContain(`error: ${salon.origin} has no OAuth metadata.`);
    expect(ran.exitCode).toBe(1);
  });

  it.each([
    ['follows a server that adds a slash', '/', 'does not offer sign-in with a code'],
    ['does not follow a server to another origin', 'https://evil.example/', 'has no OAuth metadata'],
  ])('%s to the address of its metadata', async (_what, prefix, message) => {
    await using salon = await openSalon((origin, path) =>
      path.endsWith('/')
        ? json(endpoints(origin))
        : html('', { status: 301, headers: { location: `${prefix}${path.slice(1)}/` } }),
    );
    const ran = await login(salon.origin, ['--device']);
    expect(ran.stderr).toContain(message);
    expect(ran.exitCode).toBe(1);
  });

  it('looks for the metadata of an address with a path where RFC 8414 and OpenID have it', async () => {
    await using salon = await openSalon(() => none);
    await login(`${salon.origin}/studio/api/v1`);
    expect(searches(salon)).toEqual([
      '/.well-known/oauth-authorization-server/studio',
      '/studio/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
    ]);
  });
});
