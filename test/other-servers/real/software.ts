import { join } from 'node:path';
import { findFreePort } from '../../support/free-port.ts';
import { connect, createCluster } from '../../support/postgres-cluster.ts';
import { contractFields } from '../../support/servers/other-server.ts';
import {
  copyApp,
  type InstalledFolder,
  installNpmPackages,
  startProcess,
  unpackDebianPackages,
} from '../real-server.ts';
import { type RealSoftware, type RunningSoftware, readTruth } from './real-kind.ts';

const feathers: RealSoftware = {
  title: 'Feathers 5.0.50',
  kinds: [
    {
      name: 'Feathers 5.0.50',
      dialect: 'feathers',
      facts: 'feathers',
      filters: { email: 'email', status: 'status', start_time_from: 'start_time[$gte]', client_id: null },
    },
  ],
  start: () =>
    startApp(
      installNpmPackages(
        '@feathersjs/feathers@5.0.50',
        '@feathersjs/koa@5.0.50',
        '@feathersjs/memory@5.0.50',
      ),
      ['feathers.mjs', 'truth.mjs'],
      process.execPath,
    ),
};

const jsonServer0: RealSoftware = {
  title: 'json-server 0.17.4',
  kinds: [
    {
      name: 'json-server 0.17.4',
      dialect: 'json-server-0',
      filters: {
        email: 'email',
        client_id: 'client_id',
        start_time_from: 'start_time_gte',
        start_time_to: null,
      },
    },
  ],
  start: () =>
    startApp(installNpmPackages('json-server@0.17.4'), ['json-server-0.mjs', 'truth.mjs'], process.execPath),
};

const jsonServer1: RealSoftware = {
  title: 'json-server 1.0.0-beta.15',
  kinds: [
    {
      name: 'json-server 1.0.0-beta.15',
      dialect: 'json-server-1',
      facts: 'jsonServer',
      filters: { email: 'email', client_id: 'client_id', status: 'status' },
    },
  ],
  start: () =>
    startApp(
      installNpmPackages('json-server@1.0.0-beta.15'),
      ['json-server-1.mjs', 'truth.mjs'],
      process.execPath,
    ),
};

/** On PostgreSQL: the module for SQLite needs a compiler here. */
const strapi: RealSoftware = {
  title: 'Strapi 5.52.0',
  kinds: [
    {
      name: 'Strapi 5.52.0',
      dialect: 'strapi',
      fields: { ...contractFields, created: 'createdAt', updated: 'updatedAt' },
      facts: 'strapi',
      filters: {
        email: 'filters[email][$eq]',
        client_id: 'filters[client_id][$eq]',
        start_time_from: 'filters[start_time][$gte]',
      },
    },
  ],
  async start() {
    await using stack = new AsyncDisposableStack();
    const cluster = stack.use(createCluster());
    const port = await findFreePort();
    const database = cluster.start(port);
    stack.defer(() => database.stop());
    await (await connect(`postgres://salon@127.0.0.1:${port}/postgres`)).end();
    const packs = installNpmPackages('@strapi/strapi@5.52.0', 'pg@8.23.1');
    const app = stack.use(await startApp(packs, ['strapi.cjs'], process.execPath, String(port)));
    const resources = stack.move();
    return { ...app, [Symbol.asyncDispose]: () => resources.disposeAsync() };
  },
};

const loopback: RealSoftware = {
  title: 'LoopBack 4 (@loopback/rest 15.0.16)',
  kinds: [
    {
      name: 'LoopBack 15.0.16',
      dialect: 'loopback',
      facts: 'loopback',
      filters: {
        email: 'filter[where][email]',
        status: 'filter[where][status]',
        start_time_from: 'filter[where][start_time][gte]',
        start_time_to: 'filter[where][start_time][lt]',
        q: null,
      },
    },
  ],
  start: () =>
    startApp(
      installNpmPackages(
        '@loopback/rest@15.0.16',
        '@loopback/core@7.0.15',
        '@loopback/repository@8.0.15',
        '@loopback/rest-crud@0.19.11',
      ),
      ['loopback.mjs', 'truth.mjs'],
      process.execPath,
    ),
};

const django: RealSoftware = {
  title: 'Django REST framework 3.14',
  kinds: [
    {
      name: 'Django REST 3.14 (page number)',
      dialect: 'django-page',
      path: '/page',
      facts: 'djangoPage',
      filters: { q: 'search', email: null, client_id: null, start_time_from: null },
    },
    {
      name: 'Django REST 3.14 (limit and offset)',
      dialect: 'django-limit',
      path: '/limit',
      facts: 'djangoLimit',
    },
    { name: 'Django REST 3.14 (cursor)', dialect: 'django-cursor', path: '/cursor', facts: 'djangoCursor' },
  ],
  start: () =>
    startApp(
      unpackDebianPackages(
        ...['python3-django', 'python3-djangorestframework', 'python3-asgiref', 'python3-sqlparse'],
        'python3-tz',
      ),
      ['django_app.py'],
      '/usr/bin/python3',
    ),
};

const fastapi: RealSoftware = {
  title: 'FastAPI 0.92',
  kinds: [{ name: 'FastAPI 0.92', dialect: 'fastapi', facts: 'fastapi' }],
  start: () =>
    startApp(
      unpackDebianPackages(
        ...['python3-fastapi', 'python3-starlette', 'python3-pydantic', 'python3-anyio', 'python3-sniffio'],
        ...[
          'python3-idna',
          'python3-typing-extensions',
          'python3-uvicorn',
          'python3-click',
          'python3-h11',
          'python3-asgiref',
        ],
      ),
      ['fastapi_app.py'],
      '/usr/bin/python3',
    ),
};

/** Starts an app of these tests in the folder of what it uses. */
async function startApp(
  installing: Promise<InstalledFolder>,
  files: readonly [app: string, ...others: string[]],
  program: string,
  ...more: readonly string[]
): Promise<RunningSoftware> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await installing);
  await copyApp(folder, ...files);
  const port = await findFreePort();
  const env = {
    PYTHONPATH: join(folder.path, 'usr/lib/python3/dist-packages'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  stack.use(await startProcess(folder, { program, argv: [files[0], String(port), ...more], env, port }));
  const resources = stack.move();
  return {
    ...readTruth(`http://127.0.0.1:${port}`),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** In the order of the guide's table. */
export const allSoftware: readonly RealSoftware[] = [
  feathers,
  jsonServer0,
  jsonServer1,
  loopback,
  strapi,
  django,
  fastapi,
];
