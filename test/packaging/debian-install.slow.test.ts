import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDebianPackage } from '../../packaging/deb/debian-package.ts';
import { version } from '../../src/cli/io.ts';
import { findFreePort } from '../support/free-port.ts';
import { isInstalled } from '../support/gateway-process.ts';
import { findReleasedExecutable } from '../support/released-executable.ts';
import { isLong } from '../support/speed.ts';

const older = '1.0.0-rc.0';
const database = '/var/lib/salon/salon.db';
/** What the package depends on and a small Debian lacks. */
const dependencies = 'adduser,libatomic1,libstdc++6,procps';
const arch = process.arch === 'x64' ? 'amd64' : process.arch;

const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/var/lib/salon', LC_ALL: 'C.UTF-8' };

/** A Debian 12, in a folder. */
let root: string;

/** What systemd does for the unit, as far as that needs no systemd: its view of files, its user without rights. */
const asUnit = `
set -e
root=$1 command=$2
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount --bind "$root/var/lib/salon" "$root/var/lib/salon"
mount -o remount,bind,rw "$root/var/lib/salon"
for path in tmp var/tmp home root; do mount -t tmpfs tmpfs "$root/$path"; done
mount -t proc -o hidepid=2 proc "$root/proc"
exec chroot "$root" sh -c "set -a; . /etc/salon/environment; set +a; umask 077; exec setpriv --reuid salon --regid salon \\
  --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all $command"`;

describe.skipIf(!isLong || process.getuid?.() !== 0 || !isInstalled('debootstrap'))(
  'the Debian package on Debian 12',
  () => {
    beforeAll(async () => {
      root = mkdtempSync('/var/tmp/salon-debian-');
      chmodSync(root, 0o755);
      execFileSync('debootstrap', ['--variant=minbase', `--include=${dependencies}`, 'bookworm', root], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      await build(older);
      await build(version);
    }, 3_600_000);
    afterAll(() => rmSync(root, { recursive: true, force: true }));

    async function build(of: string): Promise<void> {
      await buildDebianPackage(join(root, `${of}.deb`), {
        executable: findReleasedExecutable(),
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
    const readInstalled = () => run(`dpkg-query --show --showformat '\${Version}' salon`).stdout;

    /** Starts the service by the command line of its unit. It ends as systemd ends it. */
    async function startUnit() {
      const unit = readFileSync(join(root, 'usr/lib/systemd/system/salon.service'), 'utf8');
      const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
      const service = spawn('unshare', ['--mount', 'sh', '-c', asUnit, 'sh', root, command], {
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const ended = once(service, 'exit');
      const printed = text(service.stdout);
      await expect.poll(isReady).toBe(true);
      return {
        [Symbol.asyncDispose]: async () => {
          service.kill('SIGTERM');
          expect(await ended).toEqual([0, null]);
          expect(await printed).toBe(`${origin}\n`);
        },
      };
    }
    const isReady = () =>
      fetch(`${origin}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    const countClients = async () => {
      const response = await fetch(`${origin}/api/v1/clients`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const { pagination } = (await response.json()) as { pagination: { total: number } };
      return pagination.total;
    };
    let origin: string;
    let key: string;

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
      expect(readInstalled()).toBe('1.0.0~rc.0-1');
      expect(run('salon --version').stdout).toBe(`${version}\n`);
      expect(run('stat -c "%U %G %a" /var/lib/salon').stdout).toBe('salon salon 700\n');
      expect(run('cat /etc/salon/environment', 'salon').status).not.toBe(0);
      expect(existsSync(join(root, 'etc/systemd/system/multi-user.target.wants/salon.service'))).toBe(false);
    });

    it('runs the service by the command line of its unit, as its user without rights, in a read-only system', async () => {
      const port = await findFreePort();
      origin = `http://127.0.0.1:${port}`;
      const flags = `--database sqlite:${database} --workers 2 --port ${port}`;
      writeFileSync(join(root, 'etc/salon/environment'), `START_FLAGS="${flags}"\n`);
      const at = `--database sqlite:${database}`;
      expect(run(`salon server accounts create --name "Salon Aurora" ${at}`, 'salon')).toMatchObject({
        status: 0,
      });
      const created = run(`salon server keys create --role owner --name office ${at}`, 'salon').stdout;
      key = /slk_\S+/.exec(created)?.[0] ?? '';
      expect(run(`salon server seed --clients 120 --appointments 300 ${at}`, 'salon')).toMatchObject({
        status: 0,
      });
      await using _service = await startUnit();
      expect(await countClients()).toBe(120);
      expect(statSync(join(root, database)).mode & 0o077).toBe(0);
    });

    it('upgrades under a running service, and keeps the configuration and the data', async () => {
      {
        await using _service = await startUnit();
        expect(run(`dpkg -i /${version}.deb`)).toMatchObject({ status: 0, stderr: '' });
        expect(readInstalled()).toBe(`${version.replace('-', '~')}-1`);
        expect(await countClients()).toBe(120);
      }
      expect(readFileSync(join(root, 'etc/salon/environment'), 'utf8')).toContain(
        `--port ${new URL(origin).port}"`,
      );
      expect(run('dpkg --verify salon').stdout).toBe('??5?????? c /etc/salon/environment\n');
      expect(run('stat -c "%U %G %a" /var/lib/salon').stdout).toBe('salon salon 700\n');
      await using _service = await startUnit();
      expect(await countClients()).toBe(120);
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
