import { copyFileSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { build } from 'rolldown';
import { libraryBundle, programBundle } from './packaging/bundle.ts';
import { packagedFiles } from './src/packaged-files.ts';

// `npm run types` writes the declarations, which stay.
for (const path of globSync('dist/*', { exclude: ['dist/types'] })) rmSync(path, { recursive: true });
await build([programBundle, libraryBundle]);
mkdirSync('dist/assets');
for (const [name, path] of Object.entries(packagedFiles)) copyFileSync(path, `dist/assets/${name}`);
