import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'rolldown';
import manifest from '../package.json' with { type: 'json' };
import { defineReleaseUrl } from './release-url.ts';

/** What the program uses of undici. All of it would add 50 ms to every start. */
const partsOfUndici = {
  Agent: 'dispatcher/agent.js',
  Pool: 'dispatcher/pool.js',
  buildConnector: 'core/connect.js',
};

const manifestPath = join(import.meta.dirname, '../package.json');
const undiciId = '\0undici';

/** Bundles only those parts, and without HTTP/2, which the program does not speak. */
const smallUndici: Plugin = {
  name: 'small-undici',
  resolveId: (id) => (id === 'undici' ? undiciId : undefined),
  load: (id) => {
    if (id === undiciId) {
      return Object.entries(partsOfUndici)
        .map(([name, file]) => `export { default as ${name} } from 'undici/lib/${file}';`)
        .join('\n');
    }
    if (id.endsWith('undici/lib/dispatcher/client-h2.js')) {
      return "module.exports = () => { throw new Error('This client does not speak HTTP/2.'); };";
    }
    return undefined;
  },
};

/** Modules of Node that few commands call, though much code imports them. */
const builtinsLoadedLate = ['node:child_process', 'node:crypto', 'node:fs/promises', 'node:zlib'];

/** Loads those with the first call of a function: together they take 11 ms, half of what help does. */
const lateBuiltins: Plugin = {
  name: 'late-builtins',
  resolveId(id, importer = '', { kind }) {
    const isLate = kind === 'import-statement' && builtinsLoadedLate.includes(id);
    return isLate && !importer.includes('node_modules') ? `\0late ${id}` : undefined;
  },
  load(id) {
    const [, builtin = ''] = /^\0late (.+)$/.exec(id) ?? [];
    if (builtin === '') return undefined;
    const functions = Object.entries<unknown>(createRequire(import.meta.url)(builtin)).flatMap(
      ([name, member]) => (typeof member === 'function' && /^[a-z]/.test(name) ? [name] : []),
    );
    return [
      `let loaded;`,
      `const load = () => (loaded ??= process.getBuiltinModule('${builtin}'));`,
      ...functions.map((name) => `export function ${name}(...args) { return load().${name}(...args); }`),
    ].join('\n');
  },
};

/** Loads the assertions of Node, in 4 ms, only where one fails. */
const lateAssert =
  "module.exports = (value, message) => { if (!value) require('node:assert')(value, message); };";

/** Packages that import all of a module of Node: the bundler would copy each of its properties. */
function toWhole(...builtins: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    builtins.map((builtin) => [builtin, `export default process.getBuiltinModule('${builtin}');`]),
  );
}

/** What packages import and this program never uses, or seldom, by the package that imports it. */
const unused: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  commander: {
    ...toWhole('node:fs', 'node:path', 'node:process'),
    'node:child_process': 'export default {};',
  },
  'stubborn-fs': toWhole('node:fs', 'node:process'),
  atomically: {
    ...toWhole('node:path', 'node:process'),
    // What conf writes at once leaves nothing to remove. This would send signals again that Node, or the program, handles.
    'when-exit': 'export default () => {};',
  },
  conf: {
    ...toWhole('node:fs', 'node:path', 'node:process'),
    // It encrypts nothing.
    'node:crypto': 'export default undefined;',
    // It is told its folder. Otherwise it asks for the home folder while it loads, which a user without a name has not.
    'env-paths': 'export default () => ({});',
    // It is given no schema.
    'ajv/dist/2020.js': 'export const Ajv2020 = undefined;',
    'ajv-formats': 'export default undefined;',
    // It is given no migrations.
    semver: 'export default undefined;',
  },
  fastify: {
    'node:assert': lateAssert,
    'node:dns': "module.exports = { lookup: (...args) => require('node:dns').lookup(...args) };",
    'node:perf_hooks': 'module.exports = { performance };',
    // It is given its own compiler of schemas, and none of responses.
    '@fastify/ajv-compiler': 'module.exports = () => undefined;',
    '@fastify/fast-json-stringify-compiler': 'module.exports = () => undefined;',
    // A proxy speaks TLS and HTTP/2.
    'node:https': 'export default undefined;',
    'node:http2': 'export default undefined;',
    // Requests for tests.
    'light-my-request': 'export default undefined;',
    // Each release is built with plugins that fit.
    semver: 'export const satisfies = () => true;',
  },
  'find-my-way': { 'node:assert': lateAssert },
  undici: { 'node:assert': lateAssert, 'node:perf_hooks': 'module.exports = { performance };' },
};

const leaveOutUnused: Plugin = {
  name: 'leave-out-unused',
  resolveId: (id, importer = '') => {
    const name = /.*\/node_modules\/([^/]+)\//.exec(importer)?.[1] ?? '';
    return unused[name]?.[id] === undefined ? undefined : `\0${name} without ${id}`;
  },
  load: (id) => {
    const [, name = '', left = ''] = /^\0(.+) without (.+)$/.exec(id) ?? [];
    return unused[name]?.[left];
  },
};

/** What the program says of itself. The rest of the manifest is for development. */
const smallManifest: Plugin = {
  name: 'small-manifest',
  load: (id) => {
    if (id !== manifestPath) return undefined;
    const { version, dependencies } = manifest;
    return JSON.stringify({ version, dependencies: { undici: dependencies.undici } });
  },
};

/** Loaded if it is installed: for a keyring, and by `pg` for a faster parser. */
const optionalPackages = ['@napi-rs/keyring', 'pg-native'];

const options = {
  platform: 'node',
  external: optionalPackages,
  plugins: [smallUndici, leaveOutUnused, smallManifest],
  transform: {
    target: 'node24',
    // As in Node itself, undici then leaves out its second parser, which is on trial.
    define: { esbuildDetection: '1', ...defineReleaseUrl(process.env) },
  },
  // A package that evaluates text, and files that are imported in both ways.
  checks: { eval: false, ineffectiveDynamicImport: false },
} satisfies BuildOptions;

/** White space costs time to read; names stay, for stack traces and for oidc-provider, which stores its models by name. */
const minify = {
  compress: { keepNames: { class: true, function: true } },
  mangle: false,
  codegen: { removeWhitespace: true },
} as const;

const readWorker = 'src/service/db/sqlite/read-worker.ts';

/**
 * What is nearly always loaded together is one file: a list would read a hundred, and finding them takes a sixth of its
 * time. A group brings what its modules import, unless a group before it has that; `test/startup.test.ts` shows what
 * must not be in one.
 */
const loadedTogether = [
  {
    name: 'start',
    tags: ['$initial' as const],
    test: /src.(?:bulk|cli|client|contract|queue|settings|text|time)|commander/,
  },
  { name: 'flags', test: /src.cli.flags.(?:booking-flags|client-selection|selection|edit-flags)/ },
  {
    name: 'session',
    test: /src.(?:cli.(?:export.list-records|messages.(?:errors|messages|prompts|request-trace|short-times|status-line)|print-result|session.(?:command-context|confirmation)|watch-requests)|client.json-object|contract.(?:endpoints|salon-service))/,
  },
  { name: 'pages', test: /src.(?:client.pagination.paginate|contract.formats)/ },
  {
    name: 'request',
    test: /src.(?:cli.(?:output.(?:list-writer|print-records)|session.(?:connection|network|server-state))|client.(?:http|ours|pagination|rate-limit|resources))/,
  },
  {
    name: 'people',
    test: /src.cli.(?:calendar.show-calendar|people.(?:client-names|known-stylists|person-finder|resolve|resolve-appointment|resolve-filters)\.ts)/,
  },
  { name: 'agreed', test: /src.(?:queue|time.clock-rules|webhooks.signature)\.ts/ },
  // A thread that reads loads this alone of the service; commands that administer it, no Fastify.
  { name: 'reading', test: /src.service.db.sqlite.read-jobs/ },
  {
    name: 'database',
    test: /src.service.(?:db.database|domain.(?:clean-up|revoke|secret-rot|validation|window)|identity.(?:credentials|identity|operator-keys|sessions))/,
  },
  { name: 'service', test: /src.service.service\.ts/ },
];

/** The program, with all its packages. CommonJS starts faster: importing a builtin as an ES module reads every export. */
export const programBundle = {
  ...options,
  // A thread starts from a file of its own.
  plugins: [...options.plugins, lateBuiltins],
  input: { salon: 'src/cli/run.ts', 'read-worker': readWorker },
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    minify,
    codeSplitting: { groups: loadedTogether },
  },
} satisfies BuildOptions;

/** The program as one file, for an executable. */
export function executableBundle(dir: string) {
  return {
    ...options,
    external: ['pg-native'],
    resolve: { alias: { '@napi-rs/keyring': join(import.meta.dirname, 'executables/keyring.ts') } },
    input: { salon: 'packaging/executables/main.ts' },
    output: { dir, format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false, minify },
  } satisfies BuildOptions;
}

export function readWorkerBundle(dir: string) {
  return {
    ...options,
    input: { 'read-worker': readWorker },
    output: { dir, format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false, minify },
  } satisfies BuildOptions;
}

/** What other programs import, with its packages. */
export const libraryBundle = {
  ...options,
  input: { index: 'src/index.ts' },
  output: { dir: 'dist/library', format: 'esm', chunkFileNames: '[name]-[hash].js', minify },
} satisfies BuildOptions;
