import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';
import manifest from '../../package.json' with { type: 'json' };
import { packagedFiles } from '../../src/packaged-files.ts';
import { executableBundle, readWorkerBundle } from '../bundle.ts';
import { findBundledPackages, readPackage } from '../bundled-packages.ts';
import { fail, failInSentences, runProgram } from '../fail.ts';
import { noticesFile, renderNotices } from '../notices.ts';
import { nameExecutable } from '../release-files.ts';
import { type PinnedPackage, type Target, targets } from './targets.ts';

// Makes executables of the program with Node in them: all, or those named, such as linux-x64.

/** Downloads stay here. What they contain is known, so old ones are as good as new ones. */
const cache = 'node_modules/.cache/salon-executables';

failInSentences();
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(targets);
const unknown = names.filter((name) => !(name in targets));
if (unknown.length > 0) {
  fail(`There is no system ${unknown.join(', ')}. Choose of ${Object.keys(targets).join(', ')}.`);
}
const host = Object.values(targets).find(
  ({ platform, arch }) => platform === process.platform && arch === process.arch,
);
if (host === undefined) fail(`Executables cannot be made on ${process.platform} ${process.arch}.`);

mkdirSync('release', { recursive: true });
const folder = mkdtempSync('release/executables-');
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

await build([executableBundle(folder), readWorkerBundle(folder)]);
for (const [name, path] of Object.entries(packagedFiles)) copyFileSync(path, join(folder, name));
const maker = fetchFile(host.node, join(folder, 'node'));
chmodSync(maker, 0o755);
await writeNotices(host);
for (const name of names) {
  const target = targets[name];
  if (target !== undefined) await makeExecutable(target);
}

/** Writes the licences of all that is in an executable. They are the same for every system. */
async function writeNotices({ node, keyring }: Target): Promise<void> {
  const addon = readPackage('node_modules/@napi-rs/keyring');
  const bundled = await findBundledPackages([executableBundle(folder), readWorkerBundle(folder)]);
  const text = renderNotices([
    ...bundled,
    { ...addon, notices: [...addon.notices, String(readPinned(keyring, 'LICENSE.third-party.md'))] },
    { name: 'node', version: node.version, license: 'MIT', notices: [String(readPinned(node, 'LICENSE'))] },
  ]);
  const partial = join(folder, noticesFile);
  writeFileSync(partial, text);
  renameSync(partial, join('release', noticesFile));
}

async function makeExecutable(target: Target): Promise<void> {
  const { platform, arch } = target;
  const node = fetchFile(target.node, join(folder, `node-${platform}-${arch}`));
  if (platform === 'linux') await strip(node, arch);
  fetchFile(target.keyring, join(folder, 'keyring.node'));
  const assets = [...Object.keys(packagedFiles), 'read-worker.cjs', 'keyring.node'];
  // Paths without a folder: the executable contains that of its program, and is the same wherever it is made.
  const config = {
    main: 'salon.cjs',
    output: 'salon',
    executable: `node-${platform}-${arch}`,
    disableExperimentalSEAWarning: true,
    // Two builds would differ.
    useCodeCache: false,
    execArgvExtension: 'none',
    assets: Object.fromEntries(assets.map((asset) => [asset, asset])),
  };
  writeFileSync(join(folder, 'sea.json'), JSON.stringify(config));
  await runProgram(resolve(maker), ['--build-sea', 'sea.json'], { cwd: folder });
  const made = join(folder, 'salon');
  chmodSync(made, 0o755);
  const executable = join('release', nameExecutable(manifest.version, platform, arch));
  renameSync(made, executable);
  const bytes = readFileSync(executable);
  const hash = createHash('sha256').update(bytes).digest('hex');
  process.stdout.write(`${hash}  ${executable}  ${Math.round(bytes.length / 1e6)} MB\n`);
}

/** Symbols are a fifth of it. GNU strip knows no formats but that of Linux. */
async function strip(path: string, arch: Target['arch']): Promise<void> {
  const program =
    arch === process.arch ? 'strip' : `${arch === 'arm64' ? 'aarch64' : 'x86-64'}-linux-gnu-strip`;
  await runProgram(program, [path]);
}

/** Writes the used file of a package to a path. */
function fetchFile(pinned: PinnedPackage, path: string): string {
  writeFileSync(path, readPinned(pinned, pinned.file));
  return path;
}

/** A file of a package, which is downloaded if that has not happened before. */
function readPinned({ name, version, sha512 }: PinnedPackage, file: string): Buffer {
  const tarball = join(cache, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
  const isRight = () =>
    existsSync(tarball) && createHash('sha512').update(readFileSync(tarball)).digest('base64') === sha512;
  if (!isRight()) {
    mkdirSync(cache, { recursive: true });
    try {
      execFileSync('npm', ['pack', '--silent', `${name}@${version}`, '--pack-destination', cache], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    } catch (error) {
      fail(`${name}@${version} cannot be fetched: ${(error as Error).message.trim().split('\n').at(-1)}`);
    }
    if (!isRight()) fail(`${name}@${version} has other contents than expected.`);
  }
  return execFileSync('tar', ['-xzOf', tarball, `package/${file}`], {
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
