import { copyFileSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { build } from 'rolldown';
import { bundleOptions, minify } from './packaging/bundle.ts';
import { packagedFiles } from './src/packaged-files.ts';

// `npm run types` writes the declarations, which stay.
for (const path of globSync('dist/*', { exclude: ['dist/types'] })) rmSync(path, { recursive: true });

// Modules of CommonJS start faster: importing a builtin as an ES module reads every export it has.
await build({
  ...bundleOptions,
  // A thread starts from a file of its own.
  input: { salon: 'src/cli/run.ts', 'read-worker': 'src/service/db/sqlite/read-worker.ts' },
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    minify,
  },
});
await build({
  ...bundleOptions,
  input: { index: 'src/index.ts' },
  output: { dir: 'dist/library', format: 'esm', chunkFileNames: '[name]-[hash].js', minify },
});

mkdirSync('dist/assets');
for (const [name, path] of Object.entries(packagedFiles)) copyFileSync(path, `dist/assets/${name}`);
