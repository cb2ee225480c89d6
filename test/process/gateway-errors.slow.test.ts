import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Authority, createAuthority } from '../support/certificates.ts';
import { type Gateway, isInstalled } from '../support/gateway-process.ts';
import { startHaproxy, startNginx } from '../support/gateways.ts';
import { openClient, refusal } from '../support/open-client.ts';
import { openTestService, type TestService } from '../support/service.ts';

let authority: Authority;
let service: TestService;
beforeAll(async () => {
  authority = createAuthority();
  service = await openTestService();
});
afterAll(async () => {
  authority[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

function open(origin: string) {
  const credential = { kind: 'bearer', token: service.keys.owner } as const;
  return openClient(origin, { credential, retries: 0, tls: { ca: readFileSync(authority.file, 'utf8') } });
}

const addressOf = ({ port }: Gateway) => `https://127.0.0.1:${port}`;

describe.skipIf(!isInstalled('nginx'))('nginx', () => {
  it('weakens entity tags, which neither prevents changes nor loses those of others', async () => {
    await using nginx = await startNginx(service.origin, { authority });
    await using client = open(addressOf(nginx));
    await using colleague = open(service.origin);
    const { id = '' } = await client.clients.create({ first_name: 'Ana' });
    const { etag } = await client.clients.getTagged(id);
    expect(etag).toMatch(/^W\/"/);
    await client.clients.update(id, { notes: 'mine' }, { ifMatch: etag });
    const before = await client.clients.getTagged(id);
    await colleague.clients.update(id, { notes: 'theirs' });
    for (const act of [
      () => client.clients.update(id, { notes: 'late' }, { ifMatch: before.etag }),
      () => client.clients.delete(id, { ifMatch: before.etag }),
    ]) {
      expect((await refusal(act())).code).toBe('precondition_failed');
    }
    expect((await client.clients.get(id)).notes).toBe('theirs');
    expect(client.events.filter(({ type }) => type === 'warning')).toEqual([]);
  });

  it.each([
    ['client_max_body_size 100;', 413, 'refused the request, because it is too large'],
    ['limit_except GET { deny all; }', 403, 'refused the request'],
    ['if ($request_method = POST) { return 405; }', 405, 'refused the method'],
    ['auth_basic "staff"; auth_basic_user_file FOLDER/none;', 401, 'requires a sign-in of its own'],
    ['if ($request_method = POST) { return 504; }', 504, 'got no response from it in time'],
  ])('is named as the sender of its error pages: %s', async (line, status, action) => {
    await using nginx = await startNginx(service.origin, { authority, location: [line] });
    await using client = open(addressOf(nginx));
    const body = { first_name: 'Ana', notes: 'x'.repeat(200) };
    const error = await refusal(client.request('POST', 'clients', { body }));
    expect(error.status).toBe(status);
    expect(error.message).toContain(
      `A gateway (nginx) in front of the service ${action} (${status}, an HTML page`,
    );
  });
});

describe.skipIf(!isInstalled('haproxy'))('haproxy', () => {
  it('is named as the sender of its error pages', async () => {
    await using haproxy = await startHaproxy('http://127.0.0.1:1', { authority });
    await using client = open(addressOf(haproxy));
    const error = await refusal(client.request('GET', 'clients'));
    expect(error).toMatchObject({ code: 'service_unavailable', status: 503, requestId: undefined });
    expect(error.message).toBe(
      'A gateway (HAProxy) in front of the service could not complete the request (503, an HTML page).',
    );
  });
});
