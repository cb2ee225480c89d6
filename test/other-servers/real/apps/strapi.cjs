const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { createStrapi } = require('@strapi/strapi');

process.env.NODE_ENV = 'production';
process.env.STRAPI_TELEMETRY_DISABLED = 'true';

/** An app with three content types, as its command line writes it, that serves everybody and has no admin panel. */
const [, , port, postgresPort] = process.argv;
const text = { type: 'string' };
const types = {
  client: {
    ...{ first_name: text, last_name: text, email: text, phone: text, notes: { type: 'text' } },
    ...{ loyalty_number: { type: 'integer' }, balance: { type: 'float' }, address: { type: 'json' } },
  },
  appointment: {
    ...{ client_id: text, stylist_id: text, service: text, start_time: { type: 'datetime' } },
    ...{ duration: { type: 'integer' }, status: text },
  },
  stylist: { name: text },
};

function write(path, value) {
  const file = join(__dirname, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : `module.exports = ${JSON.stringify(value)};\n`);
}

write('config/server.js', {
  host: '127.0.0.1',
  port: Number(port),
  app: { keys: ['invented', 'invented too'] },
  logger: { startup: { enabled: false }, updates: { enabled: false } },
});
write('config/admin.js', {
  auth: { secret: 'invented' },
  apiToken: { salt: 'invented' },
  transfer: { token: { salt: 'invented' } },
  secrets: { encryptionKey: 'invented-invented-invented-inven' },
  serveAdminPanel: false,
});
write('config/api.js', { rest: { defaultLimit: 25, maxLimit: 100, withCount: true } });
write('config/database.js', {
  connection: {
    client: 'postgres',
    connection: { host: '127.0.0.1', port: Number(postgresPort), user: 'salon', database: 'postgres' },
  },
});
const middlewares = ['errors', 'security', 'cors', 'query', 'body', 'favicon', 'public'];
write(
  'config/middlewares.js',
  middlewares.map((name) => `strapi::${name}`),
);
write('config/plugins.js', {});
for (const [name, attributes] of Object.entries(types)) {
  const kind = { singularName: name, pluralName: `${name}s`, displayName: name };
  const uid = `api::${name}.${name}`;
  const folder = `src/api/${name}`;
  write(
    `${folder}/content-types/${name}/schema.json`,
    JSON.stringify({
      kind: 'collectionType',
      collectionName: `${name}s`,
      info: kind,
      options: { draftAndPublish: false },
      attributes,
    }),
  );
  const open = Object.fromEntries(
    ['find', 'findOne', 'create', 'update', 'delete'].map((action) => [action, { auth: false }]),
  );
  const factory = (part, more = '') =>
    `module.exports = require('@strapi/strapi').factories.createCore${part}('${uid}'${more});\n`;
  write(`${folder}/controllers/${name}.js`, factory('Controller'));
  write(`${folder}/services/${name}.js`, factory('Service'));
  write(`${folder}/routes/${name}.js`, factory('Router', `, ${JSON.stringify({ config: open })}`));
}
write('src/index.js', 'module.exports = { register() {}, bootstrap() {} };\n');
write('public/uploads/.gitkeep', '');

/** As long as its own. */
const toId = (name, number) => name[0] + String(number).padStart(23, '0');

async function replace(strapi, records) {
  for (const name of Object.keys(types)) {
    const table = strapi.db.connection(`${name}s`);
    await table.clone().del();
    const rows = (records[`${name}s`] ?? []).map(({ id, ...row }) => ({
      document_id: toId(name, id),
      published_at: '2026-01-01T00:00:00Z',
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
      ...row,
      ...('client_id' in row && { client_id: toId('client', row.client_id) }),
      ...('stylist_id' in row && { stylist_id: toId('stylist', row.stylist_id) }),
    }));
    if (rows.length > 0) await table.clone().insert(rows);
  }
}

async function read(strapi) {
  const lists = Object.keys(types).map(async (name) => {
    const rows = await strapi.db.query(`api::${name}.${name}`).findMany({ orderBy: { id: 'asc' } });
    return [`${name}s`, rows.map(({ id, publishedAt, locale, ...row }) => ({ ...row, id: row.documentId }))];
  });
  return Object.fromEntries(await Promise.all(lists));
}

async function start() {
  const strapi = createStrapi({ appDir: __dirname, distDir: __dirname });
  await strapi.load();
  strapi.server.use(async (context, next) => {
    if (context.path !== '/_truth') return next();
    if (context.method === 'PUT') await replace(strapi, context.request.body);
    context.body = await read(strapi);
  });
  await strapi.start();
}

start().catch((error) => {
  process.stderr.write(`${error?.stack}\n`);
  process.exit(1);
});
