import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine, type Machine, type RunResult } from '../../support/io.ts';
import { html, json, openMisbehavingServer, type Reply } from '../../support/misbehaving-server.ts';

let machine: Machine;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine[Symbol.dispose]());

const code = { device_code: 'd', user_code: 'ABCD-EFGH', expires_in: 600, interval: 0.01 };
const tokens = { access_token: 'a-token-of-some-length', token_type: 'Bearer', expires_in: 3600 };

/** Signs in with a code on a server that says what it likes. */
async function login({ device = {}, token }: { device?: object; token: Reply }): Promise<RunResult> {
  await using server = await openMisbehavingServer(({ path, headers }) => {
    const origin = `http://${headers.host}`;
    if (path.startsWith('/.well-known/')) {
      return json({
        issuer: origin,
        token_endpoint: `${origin}/token`,
        device_authorization_endpoint: `${origin}/device`,
        scopes_supported: ['clients:read'],
      });
    }
    if (path === '/device') return json({ ...code, verification_uri: `${origin}/enter`, ...device });
    if (path === '/token') return token;
    return json({ data: [], pagination: { page: 1, per_page: 50, total: 0 } });
  });
  return await machine.salon(['auth', 'login', '--device', '--base-url', server.origin]);
}

describe('a server that is wrong or hostile', () => {
  it.each([
    ['issues a token that would add a header', json({ ...tokens, access_token: 'a\r\nx-admin: 1' }), 1],
    ['issues a token of another kind', json({ ...tokens, token_type: 'mac' }), 1],
    ['issues no token', json({ token_type: 'Bearer' }), 1],
    ['answers with a page', html('Welcome'), 1],
    ['answers with an error page', html('Sorry', { status: 400 }), 1],
    ['refuses for a reason of its own', json({ error: 'too_late' }, { status: 400 }), 4],
  ])('that %s leads to one sentence, and nothing is saved', async (_what, token, exitCode) => {
    const ran = await login({ token });
    expect(ran.stderr).toMatch(/\nerror: .+\n/);
    expect(ran.stderr).not.toContain('bug');
    expect(ran.exitCode).toBe(exitCode);
    expect((await machine.salon(['profiles', 'list', '--json'])).stdout.trim()).toBe('[]');
  });

  it.each([
    ['a script', 'javascript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
    ['nothing', 'enter'],
  ])('cannot send the person to %s', async (_what, address) => {
    const ran = await login({ device: { verification_uri: address }, token: json(tokens) });
    expect(ran.stderr).toContain('did not say where to enter the code.');
    expect(ran.exitCode).toBe(1);
  });

  it('cannot write to the terminal', async () => {
    const device = { user_code: '\u001b[2JABCD\u202e', expires_in: 60 };
    const error = { error: 'x\u001b[31m', error_description: '\u001b]0;title\u0007 slk_abcdefghij' };
    const { stderr } = await login({ device, token: json(error, { status: 400 }) });
    expect(stderr.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(stderr).not.toContain('slk_abcdefghij');
  });

  it('may issue what lasts longer than a date can say', async () => {
    const device = { expires_in: 1e15 };
    expect((await login({ device, token: json({ ...tokens, expires_in: 1e17 }) })).exitCode).toBe(0);
  });
});
