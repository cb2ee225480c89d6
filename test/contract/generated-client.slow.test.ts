import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestService, type TestService } from '../support/service.ts';

const run = promisify(execFile);
const modules = join(import.meta.dirname, '../../node_modules');

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await openTestService({ clients: 3, appointments: 5 });
  folder = mkdtempSync(join(tmpdir(), 'salon-generated-'));
  symlinkSync(modules, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(compilerSettings));
  writeFileSync(join(folder, 'typescript.mjs'), oldCompiler);
  const document = await fetch(`${service.origin}/openapi.json`);
  writeFileSync(join(folder, 'openapi.json'), await document.text());
  const generator = join(modules, 'openapi-typescript/bin/cli.js');
  const paths = ['openapi.json', '--output', 'api.d.ts'];
  await run(process.execPath, ['--import', './typescript.mjs', generator, ...paths], { cwd: folder });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service[Symbol.asyncDispose]();
});

const compilerSettings = {
  compilerOptions: {
    ...{ target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'], module: 'nodenext', types: ['node'] },
    ...{ strict: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
  },
  files: ['program.ts'],
};

/** The generator prints code with the interface of TypeScript 5, which TypeScript 7 does not have. */
const oldCompiler = `import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
const source = "import common from '@ts-morph/common'; export default common.ts;";
registerHooks({
  resolve: (name, context, next) => name === 'typescript'
    ? { url: 'salon-test:typescript', shortCircuit: true }
    : next(name, context.parentURL?.startsWith('salon-test:')
        ? { ...context, parentURL: pathToFileURL('./program.js').href } : context),
  load: (url, context, next) => url === 'salon-test:typescript'
    ? { format: 'module', source, shortCircuit: true } : next(url, context),
});`;

const program = `import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

type Schemas = components['schemas'];
const salon = createClient<paths>({
  baseUrl: process.env['SALON_BASE_URL'] ?? '',
  headers: { Authorization: 'Bearer ' + process.env['SALON_API_KEY'] },
});

const clients = await salon.GET('/clients', { params: { query: { per_page: 2, sort: 'last_name' } } });
if (clients.error !== undefined) throw new Error(clients.error.detail);
const found: readonly Schemas['Client'][] = clients.data.data;
const names: readonly (string | null)[] = clients.data.data.map((client) => client.first_name);

const appointments = await salon.GET('/appointments');
const starts: readonly string[] = appointments.data?.data.map(({ start_time }) => start_time) ?? [];
const stylists: readonly Schemas['Stylist'][] = (await salon.GET('/stylists')).data?.data ?? [];
const payments: readonly Schemas['Payment'][] = (await salon.GET('/payments')).data?.data ?? [];

// @ts-expect-error A list is no text.
clients.data.toUpperCase;
// @ts-expect-error A client has no such field.
found[0]?.nickname;

const added = await salon.POST('/clients', { body: { first_name: 'Ana' } });
// What has a default need not be sent.
const [first] = appointments.data?.data ?? [];
const booked = await salon.POST('/appointments', { body: {
  client_id: first?.client_id ?? '', stylist_id: first?.stylist_id ?? '', service: 'Cut', duration: 15,
  start_time: '2035-11-13T10:00:00Z',
} });
const others: [Schemas['NewOAuthClient'], Schemas['NewStylist'], Schemas['AppointmentChange']] =
  [{ name: 'Kiosk' }, { first_name: 'Mia' }, { notes: null }];
console.log(JSON.stringify({
  status: booked.data?.status, others: others.length, total: clients.data.pagination.total, names, starts: starts.length, stylists: stylists.length,
  payments: payments.length, added: added.data?.first_name,
}));
`;

it('a client generated from the OpenAPI document compiles and gets lists as typed records', async () => {
  writeFileSync(join(folder, 'program.ts'), program);
  const compiled = await run(join(modules, '.bin/tsc'), ['--project', folder]).catch(({ stdout }) => ({
    stdout,
  }));
  expect(compiled.stdout).toBe('');
  const env = { SALON_BASE_URL: `${service.origin}/api/v1`, SALON_API_KEY: service.keys.owner };
  const { stdout } = await run(process.execPath, ['program.js'], { cwd: folder, env });
  const printed = JSON.parse(stdout);
  expect(printed).toMatchObject({ total: 3, starts: 5, added: 'Ana', status: 'confirmed' });
  expect(printed.names).toEqual([expect.any(String), expect.any(String)]);
  expect(printed.stylists).toBe(service.stylistIds.length);
});
