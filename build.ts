import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { findCommandFiles } from './build-commands.ts';
import { smallUndici } from './build-undici.ts';
import { defineReleaseUrl } from './packaging/release-url.ts';
import { packagedFiles } from './src/packaged-files.ts';

/** Loaded by import() when a command needs them: as packages they cost the start nothing. */
const loadedLater = [
  '@fastify/cookie',
  '@napi-rs/keyring',
  '@simplewebauthn/server',
  'fastify',
  'hucre',
  'ical-generator',
  'inquirer',
  'nodemailer',
  'oidc-provider',
  'openid-client',
  'ora',
  'otpauth',
  'prom-client',
  'typebox',
  'ulid',
  'uqr',
];

const { commands, shared } = await findCommandFiles();
/**
 * What is loaded at once, in the order it comes behind the start: what flags and help of several commands need, what
 * every command does, a list. A command's own flags and help are loaded with the command alone.
 */
const layers: readonly (readonly [name: string, files: readonly string[]])[] = [
  ['words', shared],
  [
    'work',
    [
      'src/cli/session/command-context.ts',
      'src/cli/print-result.ts',
      'src/cli/watch-requests.ts',
      'src/cli/output/output-file.ts',
      // The service needs these, too.
      'src/contract/formats.ts',
      'src/contract/schemas.ts',
      'src/client/http/quote.ts',
      'src/local-state/local-state.ts',
      'src/bulk/sheet/cell-text.ts',
    ],
  ],
  [
    'list',
    [
      'src/cli/session/connection.ts',
      'src/cli/session/server-state.ts',
      'src/cli/output/print-records.ts',
      'src/cli/export/run-export.ts',
      'src/bulk/jobs/job-folder.ts',
      'src/bulk/sheet/row-writer.ts',
      'src/cli/output/list-writer.ts',
      'src/client/client.ts',
      'src/client/deadline.ts',
    ],
  ],
];
const afterWords = new Set(
  [...commands, 'src/cli/completion/value-completion.ts'].map((file) => resolve(file)),
);
const work = layers.findIndex(([name]) => name === 'work');

/** What is only loaded where a list is read too. */
const readsList =
  /src\/(bulk|client|cli\/(availability|booking|calendar|doctor|edit|export|history|listen|merge|oauth|people|report|commands\/(appointments|demo|report)))\/|src\/cli\/session\/(account|configured-dialect|change-setting|grant-lifetime|login)\.ts/;

/** May be needed before there is any work. */
const errorReport = 'src/cli/messages/errors.ts';

/** Needs no more than the start. */
const completion = 'src/cli/completion/complete.ts';

/**
 * esbuild makes a file for every set of entries that share a module: some sixty for one list, each of which takes half
 * a millisecond to find and link. Here a layer is one entry, which answers the exports of all its files, and all that
 * is loaded later also imports the layers in front of it: so these are in a file or two each.
 */
const inFewFiles: Plugin = {
  name: 'in-few-files',
  setup({ onResolve, onLoad, resolve: locate }) {
    onResolve({ filter: /^\./ }, async ({ path, kind, pluginData, ...from }) => {
      if (kind !== 'dynamic-import' || pluginData === locate) return undefined;
      const found = await locate(path, { ...from, kind, pluginData: locate });
      const layer = layers
        .slice(work)
        .find(([, files]) => files.some((file) => resolve(file) === found.path));
      return { path: layer?.[0] ?? found.path, namespace: 'later' };
    });
    onResolve({ filter: /^layer:/ }, ({ path }) => ({
      path: path.replace('layer:', ''),
      namespace: 'later',
    }));
    onResolve({ filter: /^[a-z]/ }, ({ path, kind }) => {
      const isBundled = kind === 'dynamic-import' && !path.startsWith('node:') && !loadedLater.includes(path);
      return isBundled ? { path, namespace: 'later-package' } : undefined;
    });
    onLoad({ filter: /^/, namespace: 'later-package' }, async ({ path }) => {
      const hasDefault = path !== 'undici' && 'default' in (await import(path));
      const exports = [
        `export * from '${path}';`,
        ...(hasDefault ? [`export { default } from '${path}';`] : []),
      ];
      return { contents: [toImport(work), ...exports].join('\n'), resolveDir: '.' };
    });
    onLoad({ filter: /^/, namespace: 'later' }, ({ path }) => {
      const index = layers.findIndex(([name]) => name === path);
      const files = layers[index]?.[1] ?? [path];
      // Nobody asks for the words by name, and names may repeat in so many files.
      const keyword = index === 0 ? 'import' : 'export * from';
      const exports = files.map((file) => `${keyword} ${JSON.stringify(resolve(file))};`);
      const layerBefore = index >= 0 ? index - 1 : findLayerBefore(path);
      return { contents: [toImport(layerBefore), ...exports].join('\n'), resolveDir: '.', loader: 'ts' };
    });
  },
};

function findLayerBefore(path: string): number {
  if (path === resolve(completion)) return -1;
  if (path === resolve(errorReport) || afterWords.has(path)) return 0;
  return readsList.test(path) ? layers.length - 1 : work;
}

function toImport(layer: number): string {
  const [name] = layers[layer] ?? [];
  return `import ${JSON.stringify(name === undefined ? resolve('src/cli/run.ts') : `layer:${name}`)};`;
}

/**
 * Importing a builtin reads every export it has, which costs 5 ms and 2 MiB for `node:fs` alone, and others such as
 * `node:crypto` are costly to load at all. So only what is used is read, and the functions of a costly one load it
 * when they are first called.
 */
const builtinsInPart: Plugin = {
  name: 'builtins-in-part',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'builtin', sideEffects: false } : undefined,
    );
    onLoad({ filter: /^/, namespace: 'builtin' }, ({ path }) => ({
      contents: costlyBuiltins.has(path) ? renderLazyBuiltin(path) : renderBuiltin(path),
    }));
  },
};

const costlyBuiltins = new Set([
  'node:child_process',
  'node:crypto',
  'node:fs/promises',
  'node:stream/consumers',
  'node:zlib',
]);

function renderBuiltin(path: string): string {
  const exports = exportsOf(path).map(
    ([name]) => `export const ${name} = /* @__PURE__ */ (() => builtin.${name})();`,
  );
  return [`const builtin = process.getBuiltinModule('${path}');`, 'export default builtin;', ...exports].join(
    '\n',
  );
}

/** Classes and constants that are used load the builtin at once; functions do so when they are called. */
function renderLazyBuiltin(path: string): string {
  const exports = exportsOf(path).map(([name, value]) =>
    typeof value === 'function' && /^[a-z]/.test(name)
      ? `export const ${name} = (...given) => load().${name}(...given);`
      : `export const ${name} = /* @__PURE__ */ (() => load().${name})();`,
  );
  return [
    `const load = () => process.getBuiltinModule('${path}');`,
    'export default /* @__PURE__ */ new Proxy({}, { get: (_target, name) => load()[name] });',
    ...exports,
  ].join('\n');
}

function exportsOf(path: string): [name: string, value: unknown][] {
  return Object.entries(process.getBuiltinModule(path) ?? {}).filter(([name]) => name !== 'default');
}

/** conf is told its folder. Otherwise it asks for the home folder while it loads, which a user without a name has not. */
const noHomeFolder: Plugin = {
  name: 'no-home-folder',
  setup({ onLoad }) {
    onLoad({ filter: /env-paths\/index\.js$/ }, () => ({ contents: 'export default () => ({});' }));
  },
};

const options: BuildOptions = {
  outbase: 'src',
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // Node 24 has it; esbuild would load its own.
  supported: { using: true },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  external: ['pg*', ...loadedLater.flatMap((name) => [name, `${name}/*`])],
  // Bundled CommonJS packages call require, which a module does not have, and for builtins alone.
  banner: { js: 'const require=process.getBuiltinModule;' },
  define: defineReleaseUrl(process.env),
  logLevel: 'warning',
};

// `npm run types` writes the declarations, which stay.
for (const path of globSync('dist/*', { exclude: ['dist/types'] })) rmSync(path, { recursive: true });
await build({
  ...options,
  entryPoints: ['src/cli/run.ts'],
  chunkNames: 'cli/chunks/[name]-[hash]',
  plugins: [inFewFiles, smallUndici, noHomeFolder, builtinsInPart],
});
replaceStart('dist/cli/run.js');
// Found beside the chunk that reads them.
mkdirSync('dist/cli/chunks/assets');
for (const [name, path] of Object.entries(packagedFiles))
  copyFileSync(path, `dist/cli/chunks/assets/${name}`);
// A thread starts from a file of its own, which it finds beside the chunk that starts it.
await build({
  ...options,
  splitting: false,
  entryPoints: { 'read-worker': 'src/service/db/sqlite/read-worker.ts' },
  outdir: 'dist/cli/chunks',
  plugins: [builtinsInPart],
});
await build({
  ...options,
  entryPoints: ['src/index.ts'],
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [smallUndici, builtinsInPart],
});

/** Puts the chunk that the start only exports from in the start's place, which saves a file. */
function replaceStart(start: string): void {
  const chunks = 'dist/cli/chunks';
  const [, chunk = ''] =
    /import\{[^}]+\}from"\.\/chunks\/(chunk-\w+\.js)"/.exec(readFileSync(start, 'utf8')) ?? [];
  const text = readFileSync(join(chunks, chunk), 'utf8');
  writeFileSync(start, text.replaceAll(/"\.\/([\w-]+-[A-Z0-9]{8}\.js)"/g, '"./chunks/$1"'));
  rmSync(join(chunks, chunk));
  for (const file of globSync(`${chunks}/*.js`)) {
    const importer = readFileSync(file, 'utf8');
    if (importer.includes(chunk)) writeFileSync(file, importer.replaceAll(`"./${chunk}"`, '"../run.js"'));
  }
}
