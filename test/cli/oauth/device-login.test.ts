import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine, type RunOptions } from '../../support/io.ts';
import { type OidcServer, type OidcServerOptions, openOidcServer } from '../../support/oidc-server.ts';
import { enterCode, loginAndVisit } from '../../support/sign-in-elsewhere.ts';

let machine: Machine;
let server: OidcServer;
beforeEach(() => {
  machine = createMachine();
});
afterEach(async () => {
  machine[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

async function login(argv: readonly string[], options: RunOptions = {}, other: OidcServerOptions = {}) {
  server = await openOidcServer(other);
  const all = ['--base-url', server.origin, '--client-id', 'studio-app', ...argv];
  const enter = (address: string, code: string) => enterCode(server.origin, new URL(address).pathname, code);
  return loginAndVisit(machine, all, enter, options);
}

const pipes = { columns: undefined } as unknown as RunOptions;

describe('signing in with a code', () => {
  it('works with --device', async () => {
    const ran = await login(['--device']);
    expect(ran.stderr).toMatch(/and enter this code:\n {2}[A-Z]{4}-[A-Z]{4}\nOr open http/);
    expect(ran.stderr).toContain('Now using profile default.');
    expect(ran.exitCode).toBe(0);
    expect((await machine.salon(['clients', 'list', '-c', 'first_name'])).stdout).toBe('first_name\nZoe\n');
    expect(server.grants.at(-1)).toBe('device_code');
  });

  it('works with --device where standard input is no terminal', async () => {
    const ran = await login(['--device'], pipes);
    expect(ran.exitCode).toBe(0);
  });

  it.each([
    ['over SSH', { SSH_CONNECTION: '192.0.2.1 50000 192.0.2.2 22' }],
    ['on a machine without a browser', { BROWSER: '' }],
  ])('is chosen %s', async (_where, env) => {
    const ran = await login([], { env });
    expect(ran.stderr).toContain('open this address in any browser:');
    expect(ran.exitCode).toBe(0);
  });

  it('continues after a network failure', async () => {
    let isCut = false;
    const intercept = ({ url }: IncomingMessage, response: ServerResponse) => {
      if (isCut || url !== '/token') return false;
      isCut = true;
      response.destroy();
      return true;
    };
    const ran = await login(['--device'], {}, { intercept });
    expect(isCut).toBe(true);
    expect(ran.exitCode).toBe(0);
  });

  it('exits with 4 when the person declines', async () => {
    const ran = await login(['--device'], {}, { declines: true });
    expect(ran.stderr).toContain('error: The sign-in was declined');
    expect(ran.exitCode).toBe(4);
  });

  it('exits with 4 when the code expires', async () => {
    server = await openOidcServer({ deviceCodeTtl: 1 });
    const argv = ['auth', 'login', '--base-url', server.origin, '--client-id', 'studio-app', '--device'];
    const ran = await machine.salon(argv);
    expect(ran.stderr).toContain('error: The code has expired');
    expect(ran.exitCode).toBe(4);
  });

  it('is refused plainly by a server that does not know the app', async () => {
    server = await openOidcServer();
    const ran = await machine.salon(['auth', 'login', '--base-url', server.origin, '--device']);
    expect(ran.stderr).toContain('error: The server does not know this client ID');
    expect(ran.stderr).toContain('--client-id');
    expect(ran.exitCode).toBe(4);
  });
});
