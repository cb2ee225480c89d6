import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  globSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/service/db/database.ts';
import { toDatabaseLocation } from './postgres.ts';

/** The folder with the newest PostgreSQL programs on this machine; undefined if there is none. */
export function findPostgresPrograms(path = process.env['PATH'] ?? ''): string | undefined {
  const packaged = globSync('/usr/lib/postgresql/*/bin').sort(byVersion).reverse();
  const folders = [...packaged, '/opt/homebrew/bin', ...path.split(delimiter)];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

function byVersion(left: string, right: string): number {
  return left.localeCompare(right, 'en', { numeric: true });
}

let end: (() => Promise<void>) | undefined;

/** Ends what `setup` started. */
export async function teardown(): Promise<void> {
  await end?.();
}

/** Starts a cluster unless one is given, and creates the empty database that tests copy. */
export async function setup({ config }: TestProject): Promise<void> {
  const { SALON_TEST_POSTGRES: address = '', SALON_TEST_TEMPLATE: template = '' } = config.env;
  const isOwn = process.env['SALON_TEST_POSTGRES'] === undefined;
  const cluster = isOwn ? startCluster(Number(new URL(address).port)) : undefined;
  const administrator = await connect(address);
  await administrator.query(`create database ${template}`);
  await (await openDatabase(toDatabaseLocation({ address, template }, template))).close();
  end = async () => {
    if (cluster === undefined) await dropAll(administrator, template);
    await administrator.end();
    await cluster?.stop();
  };
}

/** Tests may have been interrupted. */
async function dropAll(administrator: pg.Client, template: string): Promise<void> {
  const text = 'select datname from pg_database where starts_with(datname, $1)';
  const { rows } = await administrator.query<{ datname: string }>(text, [template]);
  for (const { datname } of rows)
    await administrator.query(`drop database if exists ${datname} with (force)`);
}

/** Connects as soon as the server is ready. */
export async function connect(address: string): Promise<pg.Client> {
  for (let attempts = 0; ; attempts += 1) {
    const client = new pg.Client({ connectionString: address, ssl: false });
    client.on('error', () => {});
    try {
      return await client.connect();
    } catch (error) {
      if (attempts >= 1_500) throw error;
      await delay(100);
    }
  }
}

/**
 * What may be lost in a crash is not worth the time. Statistics would be of tables that a test has emptied, and mislead
 * the planner in the next one.
 */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  shared_buffers: '128MB',
};

/** A cluster in memory where Linux offers it, in which everybody may sign in. Its server does not run yet. */
export interface Cluster extends Disposable {
  readonly folder: string;
  /** The folder with its configuration. */
  readonly data: string;
  /** Starts the server on loopback. It ends with this process at the latest. */
  start(port: number, more?: Readonly<Record<string, string>>): RunningServer;
}

export interface RunningServer {
  /** Resolves when the server ends, with its log. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export function createCluster(): Cluster {
  const programs = findPostgresPrograms();
  if (programs === undefined) throw new Error('PostgreSQL is not installed.');
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = mkdtempSync(join(parent, 'salon-postgres-'));
  const user = findUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options: SpawnOptions = { cwd: folder, ...user };
  // Not the order of code points, which the columns have to ask for.
  const order = ['--locale', 'C', '--locale-provider', 'icu', '--icu-locale', 'en'];
  const initdb = ['-D', data, '-U', 'salon', '-A', 'trust', '-E', 'UTF8', '--no-sync', ...order];
  const made = spawnSync(join(programs, 'initdb'), initdb, {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${String(made.stderr)}`);
  return {
    folder,
    data,
    start(port, more = {}) {
      const log = join(folder, 'log');
      const output = openSync(log, 'a');
      const argv = ['-D', data, '-p', String(port)];
      for (const [name, value] of Object.entries({ ...settings, ...more }))
        argv.push('-c', `${name}=${value}`);
      const server = spawn(join(programs, 'postgres'), argv, {
        ...options,
        stdio: ['ignore', output, output],
      });
      closeSync(output);
      const kill = () => server.kill('SIGQUIT');
      process.once('exit', kill);
      const ended = once(server, 'exit').then(() => {
        process.removeListener('exit', kill);
        return readFileSync(log, 'utf8');
      });
      return {
        ended,
        stop: async () => {
          kill();
          await ended;
        },
      };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Starts the cluster of a run. */
function startCluster(port: number): { stop(): Promise<void> } {
  const cluster = createCluster();
  const server = cluster.start(port);
  let log: string | undefined;
  server.ended.then((text) => {
    log = text;
  });
  return {
    async stop() {
      if (log !== undefined) throw new Error(`PostgreSQL ended:\n${log}`);
      await server.stop();
      cluster[Symbol.dispose]();
    },
  };
}

/** Another user than root, as whom PostgreSQL and PgBouncer refuse to run. */
export function findUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [, uid, gid] =
    /^(?:postgres|nobody):[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  if (uid === undefined || gid === undefined) throw new Error('There is no user to run PostgreSQL as.');
  return { uid: Number(uid), gid: Number(gid) };
}
