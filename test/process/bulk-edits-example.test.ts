import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openFolder } from '../bulk/plan/sample-plan.ts';
import { openSharedService } from '../support/service.ts';

const guide = readFileSync(new URL('../../docs/library.md', import.meta.url), 'utf8');

/** The guide's program with the source of this checkout. */
function exampleToRun(): string {
  const code = /## Bulk edits\n[\s\S]*?```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
  return code.replace("from 'salon'", `from '${new URL('../../src/index.ts', import.meta.url)}'`);
}

it('the guide’s program plans a sheet, applies it and undoes it', async () => {
  const service = await openSharedService({ clients: 20 });
  await using folder = await openFolder();
  await writeFile(join(folder.path, 'example.mjs'), exampleToRun());
  const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner };
  const headers = { authorization: `Bearer ${service.keys.owner}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'ana@example.com' });
  const made = await fetch(`${service.origin}/api/v1/clients`, { method: 'POST', headers, body });
  const { id } = (await made.json()) as { id: string };
  await writeFile(join(folder.path, 'clients.csv'), `id;notes\n${id};Prefers mornings\n`);

  const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs'], { cwd: folder.path, env });

  expect(stdout).toMatch(/update: 1[\s\S]*done: 1[\s\S]*done\n$/);
  const answer = await fetch(`${service.origin}/api/v1/clients/${id}`, { headers });
  expect(await answer.json()).toMatchObject({ id, notes: null });
});
