import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diagnose, diagnoseOn } from '../../support/diagnose.ts';
import { createMachine } from '../../support/io.ts';
import { html, json, openMisbehavingServer, problem } from '../../support/misbehaving-server.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

const key = { SALON_API_KEY: 'slk_test' };

describe('the doctor about the service', () => {
  it.each([
    ['ahead of', 10],
    ['behind', -10],
  ])('warns of a clock that is %s the server', async (side, minutes) => {
    const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner };
    const { exitCode, find } = await diagnose({ env, now: new Date(Date.now() + minutes * 60_000) });
    expect({ exitCode, clock: find('clock') }).toMatchObject({
      exitCode: 0,
      clock: { status: 'warning', message: expect.stringContaining(`s ${side} the server`) },
    });
  });

  it('says that the key is refused, but the service answers', async () => {
    const { exitCode, find } = await diagnose({ env: { ...key, SALON_BASE_URL: service.origin } });
    expect({ exitCode, service: find('service'), key: find('key') }).toMatchObject({
      exitCode: 4,
      service: { status: 'ok' },
      key: {
        status: 'problem',
        hint: 'The key comes from SALON_API_KEY, which wins over a stored sign-in. Correct it, or unset it.',
      },
    });
  });

  it('says that the role may not read clients', async () => {
    await using server = await openMisbehavingServer(() => problem(403, 'permission_denied'));
    const { exitCode, find } = await diagnose({ env: { ...key, SALON_BASE_URL: server.origin } });
    expect({ exitCode, key: find('key') }).toMatchObject({ exitCode: 10, key: { status: 'problem' } });
  });

  it.each([
    ['a web page', html('Welcome'), 1, /HTML page titled "Welcome"/],
    ['no API', html('Not found', { status: 404 }), 1, /./],
    ['an error', html('Broken', { status: 500 }), 5, /HTML page titled "Broken"/],
  ])('says that another program is there: %s', async (_what, reply, code, message) => {
    await using server = await openMisbehavingServer(() => reply);
    const { exitCode, find } = await diagnose({ env: { ...key, SALON_BASE_URL: server.origin } });
    expect({ exitCode, service: find('service') }).toMatchObject({
      exitCode: code,
      service: { status: 'problem', message: expect.stringMatching(message), hint: expect.any(String) },
    });
  });

  it('accepts a server without /me and limits, and says how it differs', async () => {
    await using server = await openMisbehavingServer(({ path }) =>
      path === '/v1/clients' ? json([{ id: '1' }]) : json({}, { status: 404 }),
    );
    const env = { ...key, SALON_BASE_URL: server.origin, SALON_DIALECT_PAGING: 'none' };
    const { exitCode, find } = await diagnose({ env });
    expect(exitCode).toBe(0);
    expect(find('service')).toMatchObject({
      status: 'ok',
      details: { prefix: '/v1', differs_in: ['paging'] },
    });
    for (const check of ['key', 'limits', 'dns', 'config', 'data']) {
      expect(find(check)).toMatchObject({
        status: 'skipped',
        message: expect.stringMatching(/^Not checked/),
      });
    }
  });

  it.each([
    ['none', 431, 'ok', 'Its lists are paged as the dialect says'],
    ['none', 300, 'ok', 'Its lists are paged as the dialect says'],
    ['offset', 431, 'warning', 'paging of clients is none, not offset'],
    ['offset', 300, 'warning', 'nothing shows that clients are paged by offset'],
  ])(
    'says whether the lists of a server of another kind are paged by %s, with %s clients',
    async (paging, count, status, message) => {
      const rows = Array.from({ length: count }, (_, index) => ({ id: `${index}` }));
      await using server = await openMisbehavingServer(({ path }) =>
        path === '/v1/clients' ? json(rows) : json({}, { status: 404 }),
      );
      const [page, size] = paging === 'none' ? ['none', 'none'] : ['offset', 'limit'];
      const { find } = await diagnose({
        env: {
          ...{ ...key, SALON_BASE_URL: server.origin, SALON_DIALECT_PREFIX: '/v1' },
          ...{ SALON_DIALECT_PAGING: paging, SALON_DIALECT_PAGE_PARAMETER: page },
          SALON_DIALECT_PER_PAGE_PARAMETER: size,
        },
      });
      expect(find('lists')).toMatchObject({ status, message: expect.stringContaining(message) });
      expect(server.received.every(({ method }) => method === 'GET')).toBe(true);
    },
  );

  it.each([
    ['refused the request', 'slk_test', () => problem(401, 'invalid_api_key')],
    ['refused the request', 'slk_test', () => problem(503, 'service_unavailable')],
    ['was not asked', 'a b', () => json([])],
    ['did not answer', 'slk_test', () => (response: ServerResponse) => response.destroy()],
    ['answered something else', 'slk_test', () => html('Welcome')],
  ] as const)('says without a retry why it checked no more: the server %s', async (reason, given, reply) => {
    const paths: string[] = [];
    await using server = await openMisbehavingServer(({ path }) => (response) => {
      paths.push(path);
      response.sendDate = false;
      reply()(response);
    });
    const { find } = await diagnose({ env: { SALON_BASE_URL: server.origin, SALON_API_KEY: given } });
    expect(paths).toEqual([...new Set(paths)]);
    for (const check of ['clock', 'limits']) {
      expect(find(check)?.message).toBe(`Not checked: the server ${reason}`);
    }
  });

  it('says the same of our service before and after it has learnt how that answers', async () => {
    using machine = createMachine();
    const login = ['auth', 'login', '--base-url', service.origin];
    await machine.salon(login, { stdin: service.keys.owner });
    const first = (await diagnoseOn(machine)).find('service');
    await machine.salon(['clients', 'create', '--set', 'first_name=Zoe']);
    expect((await diagnoseOn(machine)).find('service')).toEqual(first);
    expect(first?.message).toBe(`Answers at ${service.origin}/api/v1`);
  });

  it('warns where few requests are left', async () => {
    await using server = await openMisbehavingServer(() =>
      json(
        { data: [], pagination: { page: 1, per_page: 1, total: 0 } },
        { headers: { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '12' } },
      ),
    );
    const { find } = await diagnose({ env: { ...key, SALON_BASE_URL: server.origin } });
    expect(find('limits')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('of 5,000 requests left'),
    });
  });
});
