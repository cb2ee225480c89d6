import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import manifest from '../../package.json' with { type: 'json' };
import { packagedFiles } from '../../src/packaged-files.ts';
import { libraryBundle, programBundle } from '../bundle.ts';
import { findBundledPackages } from '../bundled-packages.ts';
import { copyTree, fail, failInSentences, runProgram } from '../fail.ts';
import { writeManPages } from '../man/man-pages.ts';
import { noticesFile, renderNotices } from '../notices.ts';
import { readReleaseUrl } from '../release-url.ts';
import { readSourceDate } from '../source-date.ts';

// Makes release/salon-<version>.tgz of what `npm run build` and `npm run types` left in dist: a package that needs no
// other. The tarball is complete, or it is not there.

failInSentences();
const needed = [
  ...Object.values(manifest.bin),
  ...Object.values(manifest.exports['.']).map((path) => normalize(path)),
  ...Object.keys(programBundle.input).map((name) => `dist/${name}.cjs`),
  ...Object.keys(packagedFiles).map((name) => `dist/assets/${name}`),
];
const missing = needed.filter((path) => !existsSync(path));
if (missing.length > 0) fail(`The package would lack ${missing.join(', ')}. Run: npm run release:npm`);

const { env } = process;
mkdirSync('release', { recursive: true });
const folder = mkdtempSync('release/npm-');
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const copied = ['bin', 'dist', 'docs', 'CHANGELOG.md', 'LICENSE', 'README.md'];
for (const path of copied) copyTree(path, join(folder, path));
rmSync(join(folder, 'dist/types'), { recursive: true, force: true });
await bundleTypes('dist/types/index.d.ts', join(folder, 'dist/types'));
const man = await writeManPages(join(folder, 'man'), {
  date: readSourceDate(env),
  releaseUrl: readReleaseUrl(env),
});
const bundled = await findBundledPackages([programBundle, libraryBundle]);
writeFileSync(join(folder, noticesFile), renderNotices(bundled));
const published = {
  ...pick(manifest, ['name', 'version', 'description', 'license', 'type', 'engines', 'bin', 'exports']),
  man: man.map((file) => `man/${file}`),
  optionalDependencies: pick(manifest.dependencies, ['@napi-rs/keyring']),
};
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);

await runProgram('npm', ['pack', '--silent', '--pack-destination', '.'], { cwd: folder });
const [tarball = ''] = globSync('*.tgz', { cwd: folder });
renameSync(join(folder, tarball), join('release', tarball));
process.stdout.write(`release/${tarball}: ${bundled.length} packages are bundled\n`);

/** Puts all declarations, with those of packages, into one file. */
async function bundleTypes(input: string, dir: string): Promise<void> {
  const bundle = await rolldown({
    input,
    external: /^node:/,
    plugins: [dts({ dtsInput: true, tsconfig: 'tsconfig.types.json' })],
    logLevel: 'silent',
  });
  await bundle.write({ dir, format: 'es' });
}

function pick<From extends object, Key extends keyof From>(
  from: From,
  names: readonly Key[],
): Pick<From, Key> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Key>;
}
