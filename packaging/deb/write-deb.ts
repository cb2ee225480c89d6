import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { version } from '../../src/cli/io.ts';
import { fail, failInSentences } from '../fail.ts';
import { noticesFile } from '../notices.ts';
import { nameDebianPackage, nameExecutable } from '../release-files.ts';
import { readReleaseUrl } from '../release-url.ts';
import { readSourceDate } from '../source-date.ts';
import { buildDebianPackage } from './debian-package.ts';

failInSentences();
const { argv, env } = process;
const folder = 'release';
const debianNames = new Map([
  [nameExecutable(version, 'linux', 'x64'), 'amd64'],
  [nameExecutable(version, 'linux', 'arm64'), 'arm64'],
]);
const names = [...debianNames.keys()];
const executables = argv[2] === undefined ? names.map((name) => join(folder, name)) : [argv[2]];
const found = executables.filter((path) => debianNames.has(basename(path)) && existsSync(path));

if (found.length === 0) {
  fail(
    `There is no executable ${executables.join(' or ')} named ${names.join(' or ')}: run "npm run release:executables" first.`,
  );
}
for (const executable of found) {
  const notices = join(dirname(executable), noticesFile);
  if (!existsSync(notices)) fail(`There is no ${notices}: run "npm run release:executables" first.`);
  const arch = debianNames.get(basename(executable)) ?? '';
  const file = join(folder, nameDebianPackage(version, arch));
  await buildDebianPackage(file, {
    executable,
    version,
    arch,
    date: readSourceDate(env),
    releaseUrl: readReleaseUrl(env),
  });
  process.stdout.write(`Wrote ${file}.\n`);
}
