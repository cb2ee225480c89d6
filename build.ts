import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

/** Loaded by import() when a command needs them: as packages they cost the start nothing. */
const loadedLater = ['fastify', 'kysely', 'inquirer', 'ora', 'typebox', 'ulid'];

/** undici's client always loads its HTTP/2 half, which takes 15 ms of every start; ours speaks HTTP/1.1 alone. */
const withoutHttp2: Plugin = {
  name: 'without-http2',
  setup({ onLoad }) {
    onLoad({ filter: /undici\/lib\/dispatcher\/client-h2\.js$/ }, () => ({
      contents: "module.exports = () => { throw new Error('This client does not speak HTTP/2.'); };",
    }));
  },
};

/**
 * esbuild makes a file for every set of entries that share a module: a dozen for the start alone, half a
 * millisecond each. When all that is loaded later also imports the start, the start is one file.
 */
const startInOneFile: Plugin = {
  name: 'start-in-one-file',
  setup({ onResolve, onLoad, resolve: locate }) {
    const start = resolve('src/cli/run.ts');
    const loadedByImport = new Set<string>();
    onResolve({ filter: /^\./ }, async ({ path, kind, pluginData, ...from }) => {
      if (kind !== 'dynamic-import' || pluginData === locate) return undefined;
      const found = await locate(path, { ...from, kind, pluginData: locate });
      loadedByImport.add(found.path);
      return found;
    });
    onLoad({ filter: /\/src\/cli\/.*\.ts$|\/src\/[a-z]+\/[a-z-]+\.ts$/ }, ({ path }) => {
      if (!loadedByImport.has(path)) return undefined;
      return { contents: `${readFileSync(path, 'utf8')}\nimport ${JSON.stringify(start)};\n`, loader: 'ts' };
    });
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
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  external: loadedLater.flatMap((name) => [name, `${name}/*`]),
  // Bundled CommonJS packages call require, which a module does not have.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  logLevel: 'warning',
};

rmSync('dist', { recursive: true, force: true });
await build({
  ...options,
  entryPoints: ['src/cli/run.ts'],
  chunkNames: 'cli/chunks/[name]-[hash]',
  plugins: [withoutHttp2, startInOneFile],
});
await build({
  ...options,
  entryPoints: ['src/index.ts'],
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [withoutHttp2],
});
