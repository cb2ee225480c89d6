import { describe, expect, it } from 'vitest';
import { contractDialect } from '../../src/client/dialect/dialect.ts';
import { presets } from '../../src/client/dialect/presets.ts';
import { toServerPath } from '../../src/client/dialect/record-form.ts';
import { connect } from '../other-servers/machine.ts';
import { createMachine } from '../support/io.ts';
import { json, openMisbehavingServer } from '../support/misbehaving-server.ts';
import { djangoLimitOffset, djangoPageNumber } from '../support/servers/django.ts';
import { jsonApi } from '../support/servers/json-api.ts';
import { laravelPaginate, laravelResources } from '../support/servers/laravel.ts';
import { odata } from '../support/servers/odata.ts';
import { postgrest } from '../support/servers/postgrest.ts';
import { springHal, springPage, springPagedModel } from '../support/servers/spring.ts';
import { square } from '../support/servers/square.ts';
import { stripe } from '../support/servers/stripe.ts';
import { openSharedService } from '../support/service.ts';

const kinds = [
  ...[djangoLimitOffset, djangoPageNumber, jsonApi, laravelPaginate, laravelResources, odata, postgrest],
  ...[springHal, springPage, springPagedModel, square, stripe],
];

describe('salon api', () => {
  it('sends GET without a method, and nothing with a body then', async () => {
    await using server = await openMisbehavingServer(({ method, path }) => json({ method, path }));
    using machine = createMachine({ env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'slk_test' } });
    const { exitCode, stdout } = await machine.salon(['api', '/clients/5']);
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { method: 'GET', path: '/api/v1/clients/5' }]);
    const refused = await machine.salon(['api', '/clients', '--data', '{}']);
    expect(refused).toMatchObject({ exitCode: 2, stderr: 'error: --data needs a method.\n' });
    expect(server.received).toHaveLength(1);
  });
});

describe('salon api GET … --paginate', () => {
  it.each(kinds.map((kind) => [kind.name, kind] as const))('prints every row of %s', async (_name, kind) => {
    // The addresses of these two contain the prefix.
    const prefix = /Django|Laravel/.test(kind.name) ? { prefix: '' } : {};
    const dialect = { ...presets[kind.dialect as keyof typeof presets], ...prefix };
    await using machine = await connect({ kind, via: { dialect } }, { count: 230 });
    const path = toServerPath('/clients', { ...contractDialect, ...dialect }).slice(1);
    const ran = await machine.salon('api', 'GET', path, '--paginate');
    expect(ran).toMatchObject({ exitCode: 0 });
    const rows = ran.stdout.trim().split('\n');
    expect(rows).toHaveLength(230);
    expect(new Set(rows).size).toBe(230);
    for (const { id } of machine.server.store.all()) expect(ran.stdout).toContain(String(id));
  });

  it('prints a row as soon as its page arrives, and fails where a page fails', async () => {
    await using server = await openMisbehavingServer(({ query }) =>
      query.has('page') ? json({}, { status: 500 }) : json({ things: [{ n: 1 }], next: '/things?page=2' }),
    );
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'key', SALON_DIALECT_PAGING: 'link' };
    using machine = createMachine({ env });
    const ran = await machine.salon(['api', 'GET', '/things', '--paginate', '--retries', '0']);
    expect(ran.stdout).toBe('{"n":1}\n');
    expect(ran.exitCode).toBe(5);
  });

  it('reads no list of a server of another kind that is not declared', async () => {
    // Its pages are numbered from 0, so that page 2 is the third one.
    await using server = await openMisbehavingServer(({ query }) =>
      json([0, 1].map((row) => ({ n: Number(query.get('page') ?? 0) * 2 + row })).filter(({ n }) => n < 6)),
    );
    using machine = createMachine({ env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'key' } });
    const ran = await machine.salon(['api', 'GET', '/things', '--paginate']);
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toContain('salon profiles detect');
    expect(ran.stderr).toContain('salon profiles show --dialect > dialect.json');
  });

  it.each(['/availability', '/webhooks/event-types'])(
    'is refused where our service has no pages: %s',
    async (path) => {
      const service = await openSharedService();
      using machine = createMachine({
        env: { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner },
      });
      const ran = await machine.salon(['api', 'GET', path, '--paginate']);
      expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
      expect(ran.stderr).toContain(`error: ${path} has no pages.`);
      expect(ran.stderr).toContain('Leave out --paginate.');
    },
  );

  it('sends the parameters of the path and of --param with every page', async () => {
    await using server = await openMisbehavingServer(({ query }) =>
      json({
        data: [{ id: query.get('page') ?? '1' }],
        pagination: { page: Number(query.get('page') ?? 1), per_page: 1, total: 3 },
      }),
    );
    using machine = createMachine({ env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'key' } });
    const argv = ['api', 'GET', '/things?a=1', '--param', 'b=2', '--paginate', '-f', 'csv'];
    expect((await machine.salon(argv)).stdout).toBe('id\n1\n2\n3\n');
    for (const { query } of server.received) expect([query.get('a'), query.get('b')]).toEqual(['1', '2']);
  });

  it.each([
    [['POST', '/clients', '--paginate'], '--paginate is for GET, without --data and --include.'],
    [['GET', '/clients', '--limit', '3'], '--limit needs --paginate.'],
    [['GET', '/clients', '-c', 'id'], '--columns needs --paginate.'],
  ])('is refused in the wrong place: %j', async (argv, message) => {
    using machine = createMachine({ env: { SALON_BASE_URL: 'http://127.0.0.1:1', SALON_API_KEY: 'key' } });
    const ran = await machine.salon(['api', ...argv]);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
  });
});
