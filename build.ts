import { rmSync } from 'node:fs';
import { build, type Plugin } from 'esbuild';

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

rmSync('dist', { recursive: true, force: true });

// What every start pays for is bundled: one file is read and compiled where a package would be twenty.
await build({
  entryPoints: ['src/cli/run.ts', 'src/cli/io.ts', 'src/index.ts'],
  outbase: 'src',
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
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
  plugins: [withoutHttp2],
  logLevel: 'warning',
});
