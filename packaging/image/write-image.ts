import { hash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { version } from '../../src/cli/io.ts';
import { fail, failInSentences, runProgram } from '../fail.ts';
import { noticesFile } from '../notices.ts';
import { nameExecutable, nameImage } from '../release-files.ts';
import { readSourceDate } from '../source-date.ts';
import { writeImageRoot } from './image-root.ts';

// Makes release/salon-<version>-image-<arch>.tar.gz for `docker load`, with libraries of this machine.

failInSentences();
const { argv, env, arch } = process;
const executable = argv[2] ?? join('release', nameExecutable(version, 'linux', arch));
for (const path of [executable, join(dirname(executable), noticesFile)]) {
  if (!existsSync(path)) fail(`There is no ${path}: run "npm run release:executables" first.`);
}
const seconds = readSourceDate(env).getTime() / 1000;
const file = join('release', nameImage(version, arch));
const partial = `${file}.partial`;
const folder = mkdtempSync(join(tmpdir(), 'salon-image-'));
process.on('exit', () => {
  for (const path of [folder, partial]) rmSync(path, { recursive: true, force: true });
});

const context = join(folder, 'context');
mkdirSync(join(context, 'data'), { recursive: true });
writeImageRoot(join(context, 'root'), executable);
const built = join(folder, 'built.tar');
const tag = `salon:${version}`;
const identical = ['--timestamp', String(seconds), '--identity-label=false'];
// The format of Docker has health checks, and that of OCI has none.
await runBuildah(
  'bud',
  '--quiet',
  '--isolation',
  'chroot',
  '--format',
  'docker',
  ...identical,
  '--tag',
  tag,
  '--file',
  join(import.meta.dirname, 'Containerfile'),
  context,
);
await runBuildah('push', '--quiet', tag, `docker-archive:${built}:${tag}`);
mkdirSync('release', { recursive: true });
const image = join(folder, 'image');
mkdirSync(image);
await runProgram('tar', ['--extract', '--file', built, '--directory', image]);
const names = normalise(image);
const order = ['--owner=0', '--group=0', '--numeric-owner', `--mtime=@${seconds}`, '--mode=0644'];
const compress = '--use-compress-program=gzip -n';
await runProgram('tar', ['--create', compress, '--file', partial, '--directory', image, ...order, ...names]);
renameSync(partial, file);
process.stdout.write(`Wrote ${file}.\n`);

/** Runs buildah with images and temporary files of its own, which are removed with the folder. */
function runBuildah(...args: string[]): Promise<void> {
  const storage = [
    '--storage-driver',
    'vfs',
    '--root',
    join(folder, 'images'),
    '--runroot',
    join(folder, 'run'),
  ];
  return runProgram('buildah', [...storage, ...args], { env: { ...env, TMPDIR: folder } });
}

/** Leaves out the numbers of the container that built the image, so that equal files make an equal image. */
function normalise(image: string): string[] {
  const [manifest] = JSON.parse(readFileSync(join(image, 'manifest.json'), 'utf8'));
  const { container, container_config, ...built } = JSON.parse(
    readFileSync(join(image, manifest.Config), 'utf8'),
  );
  const config = JSON.stringify({ ...built, config: { ...built.config, Hostname: '' } });
  const name = `${hash('sha256', config)}.json`;
  writeFileSync(join(image, name), config);
  writeFileSync(
    join(image, 'manifest.json'),
    JSON.stringify([{ ...manifest, Config: name, RepoTags: [tag] }]),
  );
  return ['manifest.json', name, ...manifest.Layers];
}
