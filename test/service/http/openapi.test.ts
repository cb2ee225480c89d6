import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { endpoints, prefixes } from '../../../src/contract/endpoints.ts';
import { event } from '../../../src/contract/events.ts';
import { type Database, openDatabase } from '../../../src/service/db/database.ts';
import { openAccountLimiter } from '../../../src/service/domain/rate-limit.ts';
import { toOpenApi } from '../../../src/service/http/openapi.ts';
import { createServer } from '../../../src/service/http/server.ts';
import { openCredentials } from '../../../src/service/identity/credentials.ts';
import { createReadiness } from '../../../src/service/monitoring/readiness.ts';
import { openSecrets } from '../../../src/service/secrets/secrets.ts';
import { addDocs } from '../../../src/service/web/docs.ts';
import { addProblemPages } from '../../../src/service/web/problem-pages.ts';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let database: Database;
beforeAll(async () => {
  service = await openTestService();
  database = await openDatabase(service.database);
});
afterAll(async () => {
  await database.close();
  await service[Symbol.asyncDispose]();
});

const environment = { now: () => new Date(), random: (size: number) => new Uint8Array(size) };
const outsideThePrefix = [
  'GET /',
  'GET /docs',
  'GET /docs/:file',
  'GET /healthz',
  'GET /openapi.json',
  'GET /problems',
  'GET /problems/:name',
  'GET /readyz',
];

type Operations = Readonly<Record<string, Record<string, Record<string, unknown>>>>;

interface Document {
  readonly servers: readonly { url: string }[];
  readonly paths: Operations;
  readonly webhooks: Operations;
}

/** Every route of the server, as `GET /v1/clients/:id`; HEAD comes with GET. */
async function readRoutes(): Promise<string[]> {
  const secrets = openSecrets({ location: service.database, environment });
  const app = createServer({
    context: { database, environment, secrets, checkAddress: async () => undefined },
    limiter: openAccountLimiter(database, environment),
    credentials: openCredentials({ database, environment }),
    logLevel: 'silent',
    log: { write: () => true },
    checkReadiness: createReadiness({ database, file: undefined }).check,
  });
  addDocs(app);
  addProblemPages(app);
  await app.ready();
  const tree = app.printRoutes({ commonPrefix: false });
  await app.close();

  // A line is `│   └── /:id (GET, HEAD, PUT)`: four columns per level, then the methods.
  const routes: string[] = [];
  const above: string[] = [];
  for (const line of tree.split('\n')) {
    const [, indent, segment = '', methods = ''] = /^(.*)── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
    if (indent !== undefined) {
      above.splice((indent.length - 1) / 4, Number.POSITIVE_INFINITY, segment);
      const path = above.join('').replaceAll('//', '/');
      routes.push(
        ...methods
          .split(', ')
          .filter(isListed)
          .map((method) => `${method} ${path}`),
      );
    }
  }
  return routes.sort();
}

function isListed(method: string): boolean {
  return method !== '' && method !== 'HEAD';
}

function toRoutes(prefix: string): string[] {
  return Object.values(endpoints).map(({ method, path }) => `${method} ${prefix}${path}`);
}

describe('the OpenAPI document', () => {
  it('is served', async () => {
    const response = await sendRequest(`${service.origin}/openapi.json`);
    expect(toJson(response)).toEqual(JSON.parse(JSON.stringify(toOpenApi(endpoints, { origin: '' }))));
  });

  it('passes the recommended Redocly rules without errors and warnings', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const source = JSON.stringify(toOpenApi(endpoints, { origin: '' }));
    const found = await lintFromString({ source, config, absoluteRef: '/openapi.json' });
    expect(found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  it('describes exactly the endpoints of the contract', () => {
    const { paths } = toOpenApi(endpoints, { origin: '' }) as unknown as Document;
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId, 'x-standing': standing }]) => [
        operationId,
        { method: method.toUpperCase(), path: path.replaceAll(/\{(\w+)\}/g, ':$1'), standing },
      ]),
    );
    const expected = Object.entries<Endpoint>(endpoints).map(([operation, endpoint]) => {
      const { method, path, isDocumented } = endpoint;
      return [operation, { method, path, standing: isDocumented ? 'documented' : 'extension' }];
    });
    expect(Object.fromEntries(described)).toEqual(Object.fromEntries(expected));
    expect(described).toHaveLength(expected.length);
  });

  it('describes every event as a webhook with the schema of its body', () => {
    const { webhooks } = toOpenApi(endpoints, { origin: '' }) as unknown as Document;
    const described = Object.entries(webhooks).map(([type, { post }]) => [
      type,
      JSON.stringify(post?.['requestBody']),
    ]);
    const expected = event.oneOf.flatMap(({ title, properties }) =>
      properties.type.enum.map((type) => [
        type,
        expect.stringMatching(`schemas/${title}".*"const":"${type}"`),
      ]),
    );
    expect(described).toEqual(expected);
  });

  it('has no default in the body of a request, which generated clients would have to send', () => {
    const document = toOpenApi(endpoints, { origin: '' }) as unknown as Document & {
      readonly components: { readonly schemas: Readonly<Record<string, object>> };
    };
    const { schemas } = document.components;
    const bodies = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).map(({ requestBody }) => JSON.stringify(requestBody ?? null)),
    );
    const titles = bodies.flatMap((body) =>
      [...body.matchAll(/schemas\/(\w+)"/g)].map(([, title = '']) => title),
    );
    expect(titles).toContain('NewAppointment');
    for (const text of [...bodies, ...titles.map((title) => JSON.stringify(schemas[title]))])
      expect(text).not.toContain('"default":');
    const booking = schemas['NewAppointment'] as { properties: Record<string, { description: string }> };
    expect(booking.properties['allow_overlap']?.description).toMatch(/ Default: false\.$/);
    const list = document.paths['/clients']?.['get']?.['parameters'];
    expect(list).toContainEqual(
      expect.objectContaining({ name: 'page', schema: expect.objectContaining({ default: 1 }) }),
    );
  });

  it('has the public URL', () => {
    const { servers } = toOpenApi(endpoints, { origin: 'https://salon.example' }) as unknown as Document;
    expect(servers).toEqual([{ url: 'https://salon.example/api/v1' }]);
  });
});

describe('the routes', () => {
  it('are the endpoints under the first prefix and the public routes', async () => {
    expect(await readRoutes()).toEqual([...toRoutes(prefixes[0]), ...outsideThePrefix].sort());
  });

  it.each(prefixes)('answer every endpoint under %s', async (prefix) => {
    const statuses = toRoutes(prefix).map(async (route) => {
      const [method = '', path = ''] = route.split(' ');
      return (await sendRequest(`${service.origin}${path}`, { method })).status;
    });
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([401]));
  });

  it('name an unknown path and a wrong method as they were sent', async () => {
    const unknown = await sendRequest(`${service.origin}/v1/nothing?page=1`);
    expect(toJson(unknown)['detail']).toBe('There is nothing at /v1/nothing.');
    const wrong = await sendRequest(`${service.origin}/v1/clients?page=1`, { method: 'DELETE' });
    expect(toJson(wrong)['detail']).toBe('/v1/clients does not support DELETE.');
    expect(wrong.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
  });
});
