import { readFile } from 'node:fs/promises';
import { getRawAsset, isSea } from 'node:sea';

const swaggerUi = 'node_modules/@fastify/swagger-ui/static';

/** Files that are read and not run, and where a checkout has them. The build copies them to `assets`, by name. */
export const packagedFiles = {
  'salon.bash': 'completions/salon.bash',
  _salon: 'completions/_salon',
  'salon.fish': 'completions/salon.fish',
  'salon.ps1': 'completions/salon.ps1',
  'pages.css': 'src/service/web/assets/pages.css',
  'pages.js': 'src/service/web/assets/pages.js',
  'docs.css': 'src/service/web/assets/docs.css',
  'docs.js': 'src/service/web/assets/docs.js',
  'swagger-ui-bundle.js': `${swaggerUi}/swagger-ui-bundle.js`,
  'swagger-ui.css': `${swaggerUi}/swagger-ui.css`,
} as const;

/** Reads a file that comes with the program. */
export async function readPackagedFile(name: keyof typeof packagedFiles): Promise<Buffer> {
  if (isSea()) return Buffer.from(getRawAsset(name));
  const path = import.meta.url.endsWith('.ts') ? `../${packagedFiles[name]}` : `./assets/${name}`;
  return readFile(new URL(path, import.meta.url));
}
