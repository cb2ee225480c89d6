import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDebianPackage } from '../../packaging/deb/debian-package.ts';
import { version } from '../../src/cli/io.ts';
import { findFreePort } from '../support/free-port.ts';
import { isInstalled } from '../support/gateway-process.ts';
import { findReleasedExecutable } from '../support/released-executable.ts';
import { isLong } from '../support/speed.ts';

const older = '0.0.9';
const database = '/var/lib/salon/salon.db';
/** What the package depends on and a small Debian lacks. */
const dependencies = 'adduser,libatomic1,libstdc++6,procps';
const arch = process.arch === 'x64' ? 'amd64' : process.arch;

const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/var/lib/salon', LC_ALL: 'C.UTF-8' };

/** A Debian 12, in a folder. */
let root: string;

describe.skipIf(!isLong || process.getuid?.() !== 0 || !isInstalled('debootstrap'))(
  'the Debian package on Debian 12',
  () => {
    beforeAll(async () => {
      root = mkdtempSync('/var/tmp/salon-debian-');
      chmodSync(root, 0o755);
      execFileSync('debootstrap', ['--variant=minbase', `--include=${dependencies}`, 'bookworm', root], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const standIn = join(root, 'older-salon');
      writeFileSync(standIn, `#!/bin/sh\necho ${older}\n`, { mode: 0o755 });
      await build(older, standIn);
      await build(version, findReleasedExecutable());
    }, 1_200_000);
    afterAll(() => rmSync(root, { recursive: true, force: true }));

    async function build(of: string, executable: string): Promise<void> {
      await buildDebianPackage(join(root, `${of}.deb`), {
        executable,
        version: of,
        arch,
        date: new Date('2026-11-24T10:00:00Z'),
        releaseUrl: undefined,
      });
    }

    /** Runs a command in that Debian, as root or somebody else. */
    function run(command: string, user = 'root') {
      const args = ['--userspec', `${user}:${user}`, root, 'sh', '-c', command];
      const { status, stdout, stderr } = spawnSync('chroot', args, { env, encoding: 'utf8' });
      return { status, stdout, stderr };
    }

    it.skipIf(!isLong || !isInstalled('lintian'))('is accepted by lintian', () => {
      const { status, stdout } = spawnSync(
        'lintian',
        ['--allow-root', '--fail-on', 'info', '--display-info', join(root, `${version}.deb`)],
        { encoding: 'utf8' },
      );
      expect(stdout).toBe('');
      expect(status).toBe(0);
    });

    it('installs with a user and a folder of its own, and starts nothing', () => {
      expect(run(`dpkg -i /${older}.deb`)).toMatchObject({ status: 0, stderr: '' });
      expect(run('salon --version').stdout).toBe(`${older}\n`);
      expect(run('stat -c "%U %G %a" /var/lib/salon').stdout).toBe('salon salon 700\n');
      expect(run('cat /etc/salon/environment', 'salon').status).not.toBe(0);
      expect(existsSync(join(root, 'etc/systemd/system/multi-user.target.wants/salon.service'))).toBe(false);
    });

    it('upgrades, and keeps the configuration and the data', () => {
      appendFileSync(join(root, 'etc/salon/environment'), 'SALON_MAIL_FROM=salon@salon.example\n');
      expect(run('touch /var/lib/salon/kept', 'salon').status).toBe(0);
      expect(run(`dpkg -i /${version}.deb`)).toMatchObject({ status: 0, stderr: '' });
      expect(run('salon --version').stdout).toBe(`${version}\n`);
      expect(run('tail -n 1 /etc/salon/environment').stdout).toBe('SALON_MAIL_FROM=salon@salon.example\n');
      expect(run('rm /var/lib/salon/kept', 'salon').status).toBe(0);
      expect(run('dpkg --verify salon').stdout).toBe('??5?????? c /etc/salon/environment\n');
    });

    it('runs the service by the command line of its unit, as its user and without rights', async () => {
      const port = await findFreePort();
      const account = `salon server account create --name "Salon Aurora" --database sqlite:${database}`;
      expect(run(account, 'salon')).toMatchObject({ status: 0 });
      const unit = readFileSync(join(root, 'usr/lib/systemd/system/salon.service'), 'utf8');
      const [, command] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
      // As systemd does: variables of the file, split into words.
      const script = `set -a; . /etc/salon/environment; set +a; exec setpriv --reuid salon --regid salon --clear-groups \
--no-new-privs --bounding-set=-all --inh-caps=-all ${command} --port ${port}`;
      const service = spawn('chroot', [root, 'sh', '-c', script], {
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const printed = text(service.stdout);
      try {
        const isReady = () =>
          fetch(`http://127.0.0.1:${port}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          );
        await expect.poll(isReady).toBe(true);
      } finally {
        service.kill('SIGTERM');
      }
      expect(await once(service, 'exit')).toEqual([0, null]);
      expect(await printed).toBe(`http://127.0.0.1:${port}\n`);
      expect(statSync(join(root, database)).mode & 0o077).toBe(0);
    });

    it('leaves what is installed alone where there is no space', () => {
      const full = run(`trap '' XFSZ; ulimit -f 512; dpkg -i /${version}.deb`);
      expect(full).toMatchObject({ status: 1, stderr: expect.stringContaining('File too large') });
      expect(run('salon --version').stdout).toBe(`${version}\n`);
      expect(run('dpkg --audit').stdout).toBe('');
    });

    it('is purged without the data, and says where that is', () => {
      expect(run('dpkg --purge salon')).toMatchObject({
        status: 0,
        stderr: expect.stringContaining('salon: kept /var/lib/salon, which holds the data of the salon'),
      });
      expect(existsSync(join(root, 'etc/salon'))).toBe(false);
      expect(existsSync(join(root, database))).toBe(true);
      expect(run('id -un salon').stdout).toBe('salon\n');
    });

    it('is purged with its user and folder where there is no data', () => {
      expect(run(`dpkg -i /${version}.deb && rm -r /var/lib/salon && dpkg --purge salon`)).toMatchObject({
        status: 0,
      });
      expect(existsSync(join(root, 'var/lib/salon'))).toBe(false);
      expect(run('id -un salon').status).not.toBe(0);
    });
  },
);
