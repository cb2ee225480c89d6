import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const copied = ['src', 'bin', 'completions', 'packaging', 'build.ts'];

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

const needed = ['dist/types/index.d.ts', 'dist/read-worker.cjs', 'dist/assets/swagger-ui.css'];

it.each(needed)('a package without %s is not made', async (missing) => {
  for (const path of needed) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), '');
  }
  rmSync(join(checkout, missing));
  const release = run(process.execPath, ['packaging/npm/release-npm.ts'], { cwd: checkout });
  await expect(release).rejects.toMatchObject({
    code: 1,
    stderr: `error: The package would lack ${missing}. Run: npm run release:npm\n`,
  });
  expect(existsSync(join(checkout, 'release'))).toBe(false);
});

it.skipIf(process.platform === 'win32')(
  'a full disk is named in one sentence, and nothing is left',
  async () => {
    for (const path of needed) {
      mkdirSync(dirname(join(checkout, path)), { recursive: true });
      writeFileSync(join(checkout, path), '');
    }
    // A file size limit acts like a full disk: some bytes are written, then none.
    const script = `trap '' XFSZ; ulimit -f 24; exec "$0" packaging/npm/release-npm.ts`;
    const release = run('bash', ['-c', script, process.execPath], { cwd: checkout });
    await expect(release).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: dist\S+ cannot be copied to release\S+: file too large\.\n$/),
    });
    expect(readdirSync(join(checkout, 'release'))).toEqual([]);
  },
);
