import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDebianPackage } from '../../packaging/deb/debian-package.ts';
import { nameDebianPackage, nameExecutable } from '../../packaging/release-files.ts';
import { version } from '../../src/cli/io.ts';
import { isInstalled } from '../support/gateway-process.ts';
import { until } from '../support/until.ts';

const root = join(import.meta.dirname, '../..');
const sources = join(root, 'packaging/deb');
const executable = nameExecutable(version, 'linux', 'x64');
const packageFile = join('release', nameDebianPackage(version, 'amd64'));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'salon-deb-test-'));
  // A stand-in for the executable.
  writeFileSync(join(folder, executable), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'THIRD_PARTY_NOTICES'), 'fastify 5 (MIT)\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `npm run release:deb`, in a shell that has been told something. */
function release(given: string, before = 'umask 022') {
  const script = `${before}; exec "$0" "$@"`;
  return spawnSync('sh', ['-c', script, process.execPath, join(sources, 'write-deb.ts'), given], {
    cwd: folder,
    env: { PATH: process.env['PATH'], SOURCE_DATE_EPOCH: '1780000000' },
    encoding: 'utf8',
  });
}

function inspect(...args: string[]): string {
  return execFileSync('dpkg-deb', args, { cwd: folder, encoding: 'utf8' });
}

describe.skipIf(process.platform !== 'linux' || !isInstalled('dpkg-deb'))('the Debian package', () => {
  it('is byte for byte the same when it is built again, with whatever file modes', () => {
    expect(release(executable)).toMatchObject({ status: 0, stdout: `Wrote ${packageFile}.\n` });
    const first = readFileSync(join(folder, packageFile));
    expect(release(executable, 'umask 077')).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(join(folder, packageFile)).equals(first)).toBe(true);
  });

  it('contains the executable, its manual, completions and service, all owned by root', () => {
    const lines = inspect('--contents', packageFile).trim().split('\n');
    const entries = lines.map((line) => line.split(/\s+/));
    expect(entries.map(([, owner]) => owner)).toEqual(entries.map(() => 'root/root'));
    const modes = new Map(entries.map(([mode = '', , , , , path = '']) => [path, mode]));
    expect(Object.fromEntries(modes)).toMatchObject({
      './usr/bin/salon': '-rwxr-xr-x',
      './usr/share/doc/salon/THIRD_PARTY_NOTICES.gz': '-rw-r--r--',
      './etc/salon/environment': '-rw-------',
      './usr/lib/systemd/system/salon.service': '-rw-r--r--',
      './usr/share/man/man1/salon-server-start.1.gz': '-rw-r--r--',
      './usr/share/man/man7/salon-exit-codes.7.gz': '-rw-r--r--',
      './usr/share/bash-completion/completions/salon': '-rw-r--r--',
      './usr/share/zsh/vendor-completions/_salon': '-rw-r--r--',
      './usr/share/fish/vendor_completions.d/salon.fish': '-rw-r--r--',
      './usr/share/doc/salon/docs/hosting.md': '-rw-r--r--',
    });
  });

  it('keeps the configuration, and tells dpkg the sums of everything else', () => {
    inspect('--raw-extract', packageFile, 'extracted');
    expect(readFileSync(join(folder, 'extracted/DEBIAN/conffiles'), 'utf8')).toBe('/etc/salon/environment\n');
    const checked = spawnSync('md5sum', ['--check', '--quiet', 'DEBIAN/md5sums'], {
      cwd: join(folder, 'extracted'),
      encoding: 'utf8',
    });
    expect(checked).toMatchObject({ status: 0, stdout: '' });
  });

  it('has a release candidate before its release', async () => {
    const options = {
      executable: join(folder, executable),
      arch: 'arm64',
      date: new Date(0),
      releaseUrl: undefined,
    };
    const file = join(folder, 'candidate.deb');
    await buildDebianPackage(file, { ...options, version: '1.0.0-rc.1' });
    const candidate = inspect('--field', file, 'Version').trim();
    expect(candidate).toBe('1.0.0~rc.1-1');
    expect(inspect('--field', file, 'Architecture')).toBe('arm64\n');
    expect(spawnSync('dpkg', ['--compare-versions', candidate, 'lt', '1.0.0-1']).status).toBe(0);
  });

  it.each(['salon', 'release/missing'])('is not built of %s', (given) => {
    const { status, stderr } = release(given);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: .*: run "npm run release:executables" first\.\n$/);
  });

  it('is not half written on a full disk', () => {
    const before = readdirSync(join(folder, 'release'));
    const { status, stderr } = release(executable, "trap '' XFSZ; ulimit -f 24");
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: .+\.\n$/);
    expect(readdirSync(join(folder, 'release'))).toEqual(before);
  });
});

describe.skipIf(process.platform !== 'linux' || !isInstalled('dpkg-deb'))('an interrupted release', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends at once after %s, and leaves nothing', async (signal, code) => {
    const [large, temporary] = [join(folder, signal), join(folder, signal, 'tmp')];
    mkdirSync(temporary, { recursive: true });
    // Packing this takes longer than noticing that it has begun.
    writeFileSync(join(large, executable), randomBytes(2 ** 26));
    writeFileSync(join(large, 'THIRD_PARTY_NOTICES'), 'fastify 5 (MIT)\n');
    // On a busy machine it may end before the test looks.
    for (let isDone = true; isDone; ) {
      rmSync(join(large, packageFile), { force: true });
      const child = spawn(process.execPath, [join(sources, 'write-deb.ts'), executable], {
        cwd: large,
        env: { PATH: process.env['PATH'], SOURCE_DATE_EPOCH: '1780000000', TMPDIR: temporary },
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      await until(() => child.exitCode !== null || existsSync(join(large, `${packageFile}.partial`)));
      child.kill(signal);
      const ending = await ended;
      isDone = ending[0] === 0;
      if (!isDone) expect(ending).toEqual([code, null]);
    }
    expect(readdirSync(join(large, 'release'))).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe('the systemd unit', () => {
  const unit = readFileSync(join(sources, 'salon.service'), 'utf8');

  it('is the one that the guide shows', () => {
    expect(readFileSync(join(root, 'docs/hosting.md'), 'utf8')).toContain(`\`\`\`ini\n${unit}\`\`\``);
  });

  it.skipIf(process.platform !== 'linux' || !isInstalled('systemd-analyze'))(
    'is understood by systemd',
    () => {
      const file = join(folder, 'salon.service');
      writeFileSync(file, unit.replaceAll('/usr/bin/salon', join(folder, executable)));
      expect(spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })).toMatchObject({
        status: 0,
        stderr: '',
      });
    },
  );
});

it.skipIf(!isInstalled('shellcheck'))('the maintainer scripts pass shellcheck', () => {
  const scripts = ['postinst', 'postrm', 'prerm'].map((name) => join(sources, name));
  expect(spawnSync('shellcheck', scripts, { encoding: 'utf8' })).toMatchObject({ status: 0, stdout: '' });
});
