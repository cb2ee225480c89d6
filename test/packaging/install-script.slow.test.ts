import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { nameExecutable } from '../../packaging/release-files.ts';
import { findFreePort } from '../support/free-port.ts';
import { isInstalled } from '../support/gateway-process.ts';
import { createInstallUser, installPrograms } from '../support/install-user.ts';
import { openReleaseServer } from '../support/release-server.ts';
import { bySpeed } from '../support/speed.ts';

const version = '1.0.0';
const name = nameExecutable(version, 'linux', 'x64');

/** A stand-in for the executable. */
function executableOf(printed: string): string {
  return `#!/bin/sh\nprintf '%s\\n' '${printed}'\n`;
}

describe.skipIf(process.platform === 'win32').each(bySpeed({ full: ['sh'], long: ['sh', 'dash', 'bash'] }))(
  'install.sh, run by %s',
  (shell) => {
    it('installs the executable and says how to undo that', async () => {
      await using server = await openReleaseServer({ [name]: executableOf(version), 'install.sh': '' });
      using user = createInstallUser(server.url);
      const ran = await user.install(shell);
      expect(ran).toEqual({
        exitCode: 0,
        stderr: '',
        stdout: [
          'Downloading salon 1.0.0 for linux-x64.',
          `Installed salon 1.0.0 as ${user.target}.`,
          `To undo this: rm "${user.target}"`,
          `${dirname(user.target)} is not on your PATH. Add this to ~/.profile: PATH="${dirname(user.target)}:$PATH"`,
          '',
        ].join('\n'),
      });
      expect(user.files()).toEqual(['.local', '.local/bin', '.local/bin/salon']);
      expect(server.requests).toEqual(['/SHA256SUMS', `/${name}`]);
    });

    it('says that it is already installed, and downloads nothing', async () => {
      await using server = await openReleaseServer({ [name]: executableOf(version) });
      using user = createInstallUser(server.url);
      user.write('.local/bin/salon', executableOf(version));
      const ran = await user.install(shell);
      expect(ran).toMatchObject({
        exitCode: 0,
        stdout: `salon 1.0.0 is already installed as ${user.target}.\n`,
      });
      expect(server.requests).toEqual(['/SHA256SUMS']);
    });

    it.each(['0.9.9', '1.0.0-rc.1', '1.0.0-rc.10', '0.10.0'])('replaces the older %s', async (older) => {
      await using server = await openReleaseServer({ [name]: executableOf(version) });
      using user = createInstallUser(server.url);
      user.write('.local/bin/salon', executableOf(older));
      expect(await user.install(shell)).toMatchObject({ exitCode: 0, stderr: '' });
      expect(user.read('.local/bin/salon')).toBe(executableOf(version));
    });

    it.each(['1.0.1', '1.1.0-rc.1', '1.10.0', '2.0.0'])('keeps the newer %s unless forced', async (newer) => {
      await using server = await openReleaseServer({ [name]: executableOf(version) });
      using user = createInstallUser(server.url);
      user.write('.local/bin/salon', executableOf(newer));
      const ran = await user.install(shell);
      expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`Kept salon ${newer} in `) });
      expect(user.read('.local/bin/salon')).toBe(executableOf(newer));
      expect(await user.install(shell, ['--force'])).toMatchObject({ exitCode: 0, stderr: '' });
      expect(user.read('.local/bin/salon')).toBe(executableOf(version));
    });

    it('orders release candidates by number', async () => {
      const candidate = nameExecutable('1.0.0-rc.10', 'linux', 'x64');
      await using server = await openReleaseServer({ [candidate]: executableOf('1.0.0-rc.10') });
      using user = createInstallUser(server.url);
      user.write('.local/bin/salon', executableOf('1.0.0-rc.9'));
      expect(await user.install(shell)).toMatchObject({
        stdout: expect.stringContaining('Installed salon 1.0.0-rc.10'),
      });
      user.write('.local/bin/salon', executableOf('1.0.0'));
      expect(await user.install(shell)).toMatchObject({
        stdout: expect.stringContaining('Kept salon 1.0.0 '),
      });
    });

    it.each<
      [problem: string, served: Record<string, string>, stubs: Record<string, string>, sentence: RegExp]
    >([
      [
        'a wrong checksum',
        { SHA256SUMS: `${'0'.repeat(64)}  ${name}\n` },
        {},
        /has another SHA-256 checksum than/,
      ],
      [
        'a page of the network',
        { SHA256SUMS: '<html>Sign in</html>' },
        {},
        /SHA256SUMS is no list of checksums/,
      ],
      [
        'a release for others',
        { SHA256SUMS: `${'0'.repeat(64)}  salon-1-sun-x64\n` },
        {},
        /no executable for linux-x64:/,
      ],
      [
        'a file that is missing',
        { SHA256SUMS: `${'0'.repeat(64)}  salon-2-linux-x64\n` },
        {},
        /does not have it\.$/m,
      ],
      [
        'another version inside',
        { [name]: executableOf('0.1.0') },
        {},
        /says that it is version 0\.1\.0, not 1\.0\.0/,
      ],
      [
        'one that does not start',
        { [name]: '#!/bin/sh\necho broken\nexit 1\n' },
        {},
        /does not run on this system: broken/,
      ],
      [
        'a library that is missing',
        {
          [name]:
            '#!/bin/sh\necho "salon: error while loading shared libraries: libatomic.so.1: cannot open" >&2\nexit 127\n',
        },
        {},
        /needs libatomic and libstdc\+\+: install them/,
      ],
      [
        'an old glibc',
        {},
        { getconf: 'echo glibc 2.17' },
        /needs glibc 2\.28 or newer, and this system has 2\.17:/,
      ],
      ['musl', {}, { getconf: 'exit 1' }, /needs glibc, and this system has another C library/],
      ['another system', {}, { uname: 'echo FreeBSD' }, /no executable for FreeBSD: install Node/],
      [
        'another processor',
        {},
        { uname: 'if [ "$1" = -s ]; then echo Linux; else echo riscv64; fi' },
        /for riscv64:/,
      ],
    ])('says in one sentence what is wrong with %s', async (_problem, served, stubs, sentence) => {
      await using server = await openReleaseServer({ [name]: executableOf(version), ...served });
      using user = createInstallUser(server.url);
      const ran = await user.install(shell, [], { stubs });
      expect(ran.exitCode).toBe(1);
      expect(ran.stderr).toMatch(/^error: [^\n]+\n$/);
      expect(ran.stderr).toMatch(sentence);
      expect(user.files().filter((path) => path !== '.local')).toEqual([]);
    });

    it('keeps what is installed when a download fails', async () => {
      await using server = await openReleaseServer({
        [name]: executableOf(version),
        SHA256SUMS: `${'0'.repeat(64)}  ${name}\n`,
      });
      using user = createInstallUser(server.url);
      user.write('.local/bin/salon', executableOf('0.9.0'));
      expect(await user.install(shell)).toMatchObject({ exitCode: 1 });
      expect(user.read('.local/bin/salon')).toBe(executableOf('0.9.0'));
      expect(user.files()).toEqual(['.local', '.local/bin', '.local/bin/salon']);
    });

    it('says that there is no network', async () => {
      using user = createInstallUser(`http://127.0.0.1:${await findFreePort()}`);
      const ran = await user.install(shell);
      expect(ran).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/^error: .* check the network connection.*\n$/),
      });
      expect(user.files()).toEqual(['.local']);
    });

    it('says that the disk is full', async () => {
      await using server = await openReleaseServer({
        [name]: `${executableOf(version)}${'#'.repeat(100_000)}`,
      });
      using user = createInstallUser(server.url);
      // A file size limit acts like a full disk: some bytes are written, then none.
      const ran = await user.install(shell, [], { before: "trap '' XFSZ; ulimit -f 8" });
      expect(ran).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/^error: .*: the disk is full\.\n$/),
      });
      expect(user.files()).toEqual(['.local']);
    });

    it('says that the folder is read-only', async () => {
      await using server = await openReleaseServer({ [name]: executableOf(version) });
      using user = createInstallUser(server.url);
      mkdirSync(dirname(user.target), { recursive: true });
      chmodSync(dirname(user.target), 0o555);
      const ran = await user.install(shell, [], { isOrdinaryUser: true });
      expect(ran).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/^error: .*: it is read-only for you\.\n$/),
      });
    });

    it('leaves another program of that name alone', async () => {
      await using server = await openReleaseServer({ [name]: executableOf(version) });
      using user = createInstallUser(server.url);
      user.write('.local/bin/salon', executableOf('Salon 2, an editor'));
      const ran = await user.install(shell);
      expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('exists and is not salon') });
      expect(user.read('.local/bin/salon')).toBe(executableOf('Salon 2, an editor'));
    });

    it('leaves nothing when it is interrupted', async () => {
      await using server = await openReleaseServer({ [name]: undefined });
      using user = createInstallUser(server.url);
      const ran = await user.install(shell, [], { interruptWhen: () => server.requests.length === 2 });
      expect(ran.exitCode).not.toBe(0);
      expect(user.files()).toEqual(['.local']);
    });

    it('downloads with wget where there is no curl', async () => {
      await using server = await openReleaseServer({ [name]: executableOf(version) });
      using user = createInstallUser(server.url);
      expect(await user.install(shell, [], { programs: [...installPrograms, 'wget'] })).toMatchObject({
        exitCode: 0,
        stderr: '',
      });
      expect(user.read('.local/bin/salon')).toBe(executableOf(version));
      rmSync(user.target);
      const ran = await user.install(shell, [], { programs: installPrograms });
      expect(ran).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('Neither curl nor wget is installed'),
      });
    });

    it('signs the executable on Apple silicon, also under Rosetta', async () => {
      const forApple = nameExecutable(version, 'darwin', 'arm64');
      await using server = await openReleaseServer({ [forApple]: executableOf(version) });
      using user = createInstallUser(server.url);
      const stubs = {
        uname: 'if [ "$1" = -s ]; then echo Darwin; else echo x86_64; fi',
        sysctl: 'echo 1',
        codesign: `echo "$@" > "$HOME/signed"`,
      };
      expect(await user.install(shell, [], { stubs })).toMatchObject({ exitCode: 0, stderr: '' });
      expect(user.read('signed')).toMatch(/^--force --sign - .*\/salon\n$/);
    });
  },
);

describe('the install scripts', () => {
  it.skipIf(!isInstalled('shellcheck'))('pass shellcheck', async () => {
    using user = createInstallUser('https://salon.example/releases');
    const child = spawn('shellcheck', ['--shell', 'sh', user.script]);
    expect(await text(child.stdout)).toBe('');
  });

  it('contain the address and no placeholder, and are ASCII, as Windows PowerShell needs it', () => {
    using user = createInstallUser('https://salon.example/releases');
    for (const script of ['install.sh', 'install.ps1']) {
      const written = readFileSync(join(dirname(user.script), script), 'utf8');
      expect(written).toMatch(/^\$?release_?url ?= ?'https:\/\/salon\.example\/releases'$/im);
      expect(written).not.toMatch(/@\w+@/);
      expect(written).toMatch(/^[\n\x20-\x7e]*$/);
    }
  });
});
