import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeImageRoot } from '../../packaging/image/image-root.ts';
import { nameImage } from '../../packaging/release-files.ts';
import { version } from '../../src/cli/io.ts';
import { type ImageConfig, startContainer, unpackImage } from '../support/container.ts';
import { openExportServer } from '../support/export-server.ts';
import { findFreePort } from '../support/free-port.ts';
import { isInstalled } from '../support/gateway-process.ts';
import { findReleasedExecutable } from '../support/released-executable.ts';
import { finish } from '../support/salon-process.ts';
import { isLong } from '../support/speed.ts';

const script = join(import.meta.dirname, '../../packaging/image/write-image.ts');
const isRoot = process.getuid?.() === 0;
const canMount = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0;

let folder: string;
beforeAll(() => {
  // Not in TMPDIR: other users have to reach it.
  folder = mkdtempSync('/var/tmp/salon-image-test-');
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(process.platform !== 'linux')('the files of the image', () => {
  it.skipIf(!isRoot)('are all that an executable needs to start', () => {
    const root = join(folder, 'node');
    const stand = join(folder, 'stand-in');
    mkdirSync(stand);
    symlinkSync(process.execPath, join(stand, 'salon'));
    writeFileSync(join(stand, 'THIRD_PARTY_NOTICES'), 'fastify 5 (MIT)\n');
    writeImageRoot(root, join(stand, 'salon'));
    const ran = spawnSync(
      'chroot',
      ['--userspec=54321:54321', '--groups=', root, '/usr/bin/salon', '--version'],
      {
        encoding: 'utf8',
      },
    );
    expect(ran).toMatchObject({ status: 0, stdout: `${process.version}\n`, stderr: '' });
    expect(statSync(join(root, 'tmp')).mode & 0o7777).toBe(0o1777);
    const documents = readdirSync(join(root, 'usr/share'), { recursive: true });
    expect(documents).toEqual(
      expect.arrayContaining([
        'doc/salon/THIRD_PARTY_NOTICES',
        'doc/salon/copyright',
        'doc/libc6/copyright',
        'common-licenses/LGPL-2.1',
      ]),
    );
  });

  it('need an executable', () => {
    const { status, stderr } = spawnSync(process.execPath, [script, 'missing'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stderr).toBe('error: There is no missing: run "npm run release:executables" first.\n');
    expect(status).toBe(1);
  });
});

describe.skipIf(!isLong || !canMount || !isInstalled('buildah'))('the container image', () => {
  const archive = () => join(folder, 'release', nameImage(version, process.arch));
  let config: ImageConfig;
  beforeAll(() => {
    build();
    config = unpackImage(archive(), folder);
  });

  function build(): void {
    execFileSync(process.execPath, [script, findReleasedExecutable()], {
      cwd: folder,
      env: { PATH: process.env['PATH'], SOURCE_DATE_EPOCH: '1780000000' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  /** Places for a new container, whose user may not be the one who owns the image's files. */
  function createPlaces(user: string) {
    const place = mkdtempSync(join(folder, 'container-'));
    chmodSync(place, 0o755);
    const [data, key] = [join(place, 'data'), join(place, 'key')];
    mkdirSync(data);
    execFileSync('chown', [user, data]);
    writeFileSync(key, 'k\n');
    chmodSync(key, 0o444);
    return { folder, config, user, data, key };
  }

  it('is byte for byte the same when it is built again', () => {
    const first = readFileSync(archive());
    build();
    expect(readFileSync(archive()).equals(first)).toBe(true);
  });

  it('unpacks to less than 140 MB, and runs as 65532 with a health check', () => {
    expect(config).toMatchObject({
      User: '65532:65532',
      Healthcheck: { Test: ['CMD', '/usr/bin/salon', 'server', 'ready'] },
    });
    const [bytes = ''] = execFileSync('du', ['-sb', join(folder, 'root')], { encoding: 'utf8' }).split('\t');
    expect(Number(bytes)).toBeLessThan(140_000_000);
    expect(statSync(join(folder, 'root/data'))).toMatchObject({ uid: 65532, gid: 0 });
  });

  it('is loaded by a container engine', () => {
    const storage = [
      '--storage-driver',
      'vfs',
      '--root',
      join(folder, 'images'),
      '--runroot',
      join(folder, 'run'),
    ];
    const run = (...args: string[]) => execFileSync('buildah', [...storage, ...args], { encoding: 'utf8' });
    // As in `gunzip -c … | docker load`.
    writeFileSync(join(folder, 'image.tar'), gunzipSync(readFileSync(archive())));
    run('pull', '--quiet', `docker-archive:${join(folder, 'image.tar')}:salon:${version}`);
    expect(run('images', '--format', '{{.Name}}:{{.Tag}}')).toContain(`/salon:${version}\n`);
    const manifest = execFileSync('tar', ['-xOf', join(folder, 'image.tar'), 'manifest.json']);
    expect(JSON.parse(String(manifest))).toMatchObject([{ RepoTags: [`salon:${version}`] }]);
  });

  it.each(['65532:65532', '54321:54321'])(
    'exports as %s on a read-only root with a mounted key',
    async (user) => {
      await using server = await openExportServer({ rows: 1_000, perPage: 100 });
      const places = createPlaces(user);
      const env = { SALON_BASE_URL: server.origin };
      const ran = await finish(
        startContainer(['clients', 'list', '-o', '/data/clients.csv'], { ...places, env }),
      );
      expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
      expect(readFileSync(join(places.data, 'clients.csv'), 'utf8')).toContain('cli_000999');
      expect(server.received[0]?.headers.authorization).toBe('Bearer k');
    },
  );

  it('resumes an export in a new container, from the files beside it alone', async () => {
    await using server = await openExportServer({ rows: 1_000, perPage: 20, account: 'acc_1' });
    const env = { SALON_BASE_URL: server.origin };
    const whole = createPlaces('54321:54321');
    const list = ['clients', 'list', '-o', '/data/clients.csv', '--concurrency', '1'];
    expect(await finish(startContainer(list, { ...whole, env }))).toMatchObject({ exitCode: 0 });
    const places = createPlaces('54321:54321');
    const killed = startContainer(list, { ...places, env });
    const finished = finish(killed);
    // The 30th page is never sent.
    server.instead = (page) => (page < 30 ? undefined : () => {});
    const asked = server.received.length;
    await expect.poll(() => server.received.length - asked).toBeGreaterThan(30);
    killed.kill('SIGKILL');
    expect(await finished).toMatchObject({ signal: 'SIGKILL' });
    expect(existsSync(join(places.data, 'clients.csv'))).toBe(false);
    server.instead = () => undefined;
    const before = server.received.length;
    const resumed = await finish(startContainer(['jobs', 'resume', '/data/clients.csv'], { ...places, env }));
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 });
    expect(server.received.length - before).toBeLessThan(30);
    const read = ({ data }: { data: string }) => readFileSync(join(data, 'clients.csv'), 'utf8');
    expect(read(places)).toBe(read(whole));
    expect(readdirSync(places.data).sort()).toEqual(readdirSync(whole.data).sort());
  });

  it('runs the service, which its health check finds', async () => {
    const port = await findFreePort();
    const places = createPlaces('65532:65532');
    const database = ['--database', 'sqlite:/data/salon.db'];
    const check = () =>
      finish(startContainer([...config.Healthcheck.Test.slice(2), `http://127.0.0.1:${port}`], places));
    expect(await check()).toMatchObject({ exitCode: 5 });
    const create = ['server', 'accounts', 'create', '--name', 'Salon Aurora', ...database];
    expect(await finish(startContainer(create, places))).toMatchObject({ exitCode: 0 });
    const start = [
      'server',
      'start',
      '--host',
      '0.0.0.0',
      '--port',
      String(port),
      '--workers',
      '2',
      ...database,
    ];
    const service = startContainer(start, places);
    const finished = finish(service);
    try {
      await expect.poll(async () => (await check()).exitCode).toBe(0);
    } finally {
      service.kill('SIGTERM');
    }
    expect(await finished).toMatchObject({ exitCode: 0 });
  });
});
