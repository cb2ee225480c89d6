import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly Config: string;
  readonly Layers: readonly string[];
}

export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Healthcheck: { readonly Test: readonly string[] };
}

/** Unpacks an archive of `docker save` into a folder, with the places that a runtime mounts things on. */
export function unpackImage(archive: string, folder: string): ImageConfig {
  const root = join(folder, 'root');
  for (const path of ['proc', 'dev', 'run/secrets']) mkdirSync(join(root, path), { recursive: true });
  execFileSync('tar', ['--extract', '--file', archive, '--directory', folder]);
  const [manifest]: Manifest[] = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  for (const layer of manifest?.Layers ?? []) {
    execFileSync('tar', [
      '--extract',
      '--preserve-permissions',
      '--file',
      join(folder, layer),
      '--directory',
      root,
    ]);
  }
  return JSON.parse(readFileSync(join(folder, manifest?.Config ?? ''), 'utf8')).config;
}

export interface ContainerOptions {
  /** Of the unpacked image. */
  readonly folder: string;
  readonly config: ImageConfig;
  /** User and group, by their numbers. */
  readonly user: string;
  /** Mounted on /data. */
  readonly data: string;
  /** A file, mounted on /run/secrets/key. */
  readonly key: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Mounts and changes to the root as a runtime does, in the process that becomes the program. */
const script = `
set -e
root=$1 user=$2 data=$3 key=$4
shift 4
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
mount --bind "$data" "$root/data"
mount -t tmpfs tmpfs "$root/run/secrets"
touch "$root/run/secrets/key"
mount --bind "$key" "$root/run/secrets/key"
exec chroot --userspec="$user" --groups= "$root" "$@"`;

/** Runs the image's program in mounts of its own with a read-only root, as a user of the host. */
export function startContainer(
  argv: readonly string[],
  { folder, config, user, data, key, env }: ContainerOptions,
): ChildProcess {
  const places = [join(folder, 'root'), user, data, key];
  const imageEnv = Object.fromEntries(config.Env.map((text) => text.split(/=(.*)/s).slice(0, 2)));
  const args = ['--mount', 'sh', '-c', script, 'sh', ...places, ...config.Entrypoint, ...argv];
  return spawn('unshare', args, {
    env: { ...imageEnv, SALON_API_KEY_FILE: '/run/secrets/key', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
