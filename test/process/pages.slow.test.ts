import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { createHome, launcher, runSalon } from '../support/salon-process.ts';

const dist = join(import.meta.dirname, '../../dist');

/** Text that only the built code of the pages contains. */
const mark = 'swagger-ui-bundle.js';

/** Starts the built service, requests some paths and stops it. Returns the statuses and the loaded files. */
async function ask(paths: readonly string[]) {
  using home = createHome();
  const hook = pathToFileURL(join(import.meta.dirname, '../support/print-modules.ts')).href;
  const database = `sqlite:${join(home.folder, 'salon.db')}`;
  await runSalon(
    ['server', 'accounts', 'create', '--name', 'Aurora', '--plan', 'pro', '--database', database],
    {
      home,
    },
  );
  const child = spawn(
    process.execPath,
    [
      '--import',
      hook,
      launcher,
      'service',
      'start',
      '--port',
      '0',
      '--log-level',
      'error',
      '--database',
      database,
    ],
    {
      env: { PATH: process.env['PATH'] ?? '', HOME: home.folder },
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    },
  );
  const ended = once(child, 'close');
  const modules = text(child.stdio[3] as NodeJS.ReadableStream);
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  const statuses: number[] = [];
  for (const path of paths) statuses.push((await fetch(`${line.toString().trim()}${path}`)).status);
  child.kill('SIGTERM');
  await ended;
  const files = (await modules).split('\n').filter((url) => url.startsWith('file:'));
  return { statuses, files: files.map((url) => fileURLToPath(url)) };
}

function readMarked(files: readonly string[]): string[] {
  return files.filter((file) => readFileSync(file, 'utf8').includes(mark));
}

it('the built service serves its pages and the viewer', async () => {
  const paths = ['/docs', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css', '/problems/not-found'];
  const { statuses, files } = await ask(paths);
  expect(statuses).toEqual([200, 200, 200, 200]);
  expect(readMarked(files)).not.toEqual([]);
});

it('the built service loads its pages only on request', async () => {
  const { statuses, files } = await ask(['/healthz']);
  expect(statuses).toEqual([200]);
  expect(readMarked(files)).toEqual([]);
  expect(files.filter((file) => file.includes('swagger'))).toEqual([]);
  expect(readMarked(globSync(join(dist, '*.cjs')))).not.toEqual([]);
});
