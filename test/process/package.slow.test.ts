import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const copied = ['src', 'bin', 'completions', 'packaging', 'build.ts', 'check-package.ts'];

/** A checkout whose dist the tests may change. */
let checkout: string;
beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), 'salon-checkout-'));
  for (const name of [...copied, 'package.json', 'tsconfig.json']) {
    cpSync(join(root, name), join(checkout, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
});
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

it('a build keeps the type declarations and removes everything else of the build before', async () => {
  mkdirSync(join(checkout, 'dist/types'), { recursive: true });
  writeFileSync(join(checkout, 'dist/types/index.d.ts'), 'export {};\n');
  writeFileSync(join(checkout, 'dist/chunk-OLD.cjs'), '');
  await run(process.execPath, ['build.ts'], { cwd: checkout });
  const kept = ['dist/types/index.d.ts', 'dist/library/index.js', 'dist/salon.cjs', 'dist/chunk-OLD.cjs'];
  expect(kept.filter((path) => existsSync(join(checkout, path)))).toEqual(kept.slice(0, 3));
});

it('a package without type declarations is not packed', async () => {
  const pack = () => run('npm', ['run', '--silent', 'prepack'], { cwd: checkout });
  mkdirSync(join(checkout, 'dist/types'), { recursive: true });
  mkdirSync(join(checkout, 'dist/library'), { recursive: true });
  writeFileSync(join(checkout, 'dist/library/index.js'), '');
  writeFileSync(join(checkout, 'dist/types/index.d.ts'), 'export {};\n');
  await expect(pack()).resolves.toMatchObject({ stderr: '' });
  rmSync(join(checkout, 'dist/types'), { recursive: true });
  await expect(pack()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The package lacks ./dist/types/index.d.ts. Run "npm run build"'),
  });
  await expect(run('npm', ['pack', '--dry-run'], { cwd: checkout })).rejects.toMatchObject({ code: 1 });
});
