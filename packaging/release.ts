import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import manifest from '../package.json' with { type: 'json' };
import { writeAction } from './action/write-action.ts';
import { executableBundle, libraryBundle, programBundle } from './bundle.ts';
import { findBundledPackages } from './bundled-packages.ts';
import { keyringVersion, targets } from './executables/targets.ts';
import { failInSentences, runProgram } from './fail.ts';
import { writeInstallScripts } from './install/write-install-scripts.ts';
import { writeManPages } from './man/man-pages.ts';
import { findNewestNotes, renderNodeVersions } from './release-notes.ts';
import { readReleaseUrl } from './release-url.ts';
import { renderSbom } from './sbom.ts';
import { readSourceDate } from './source-date.ts';

// Makes a whole release in the folder `release`. It is complete once it has SHA256SUMS, which is written last.

failInSentences();
const folder = 'release';
rmSync(folder, { recursive: true, force: true });
for (const step of ['npm', 'executables', 'deb', 'image']) {
  await runProgram('npm', ['run', '--silent', `release:${step}`], { output: 'inherit' });
}

const releaseUrl = readReleaseUrl(process.env);
if (releaseUrl !== undefined) {
  writeInstallScripts(folder, releaseUrl);
  writeAction(folder, releaseUrl);
}

const { name, version, license } = manifest;
const date = readSourceDate(process.env);
const pages = mkdtempSync(join(tmpdir(), 'salon-man-'));
process.on('exit', () => rmSync(pages, { recursive: true, force: true }));
await writeManPages(join(pages, 'man1'), { date, releaseUrl });
const entries = [
  '--sort=name',
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  `--mtime=@${date.getTime() / 1000}`,
];
const tar = execFileSync('tar', ['-c', ...entries, '-C', pages, 'man1'], { maxBuffer: 2 ** 28 });
writeFileSync(join(folder, `salon-${version}-man.tar.gz`), gzipSync(tar));
const parts = [
  { name: '@napi-rs/keyring', version: keyringVersion, license: 'MIT' },
  ...(await findBundledPackages([programBundle, libraryBundle, executableBundle(folder)])),
  ...[...new Set(Object.values(targets).map(({ node }) => node.version))].map((found) => ({
    ...{ name: 'node', version: found, license: 'MIT' },
  })),
];
const sbom = renderSbom({ name, version, license, date }, parts);
writeFileSync(join(folder, `salon-${version}.cdx.json`), sbom);
writeFileSync(
  join(folder, 'RELEASE_NOTES.md'),
  findNewestNotes(readFileSync('CHANGELOG.md', 'utf8'), version) + renderNodeVersions(targets),
);

const sums = readdirSync(folder)
  .sort()
  .map((file) => `${hashFile(join(folder, file))}  ${file}\n`)
  .join('');
writeFileSync(join(folder, 'SHA256SUMS'), sums);
process.stdout.write(sums);

function hashFile(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
