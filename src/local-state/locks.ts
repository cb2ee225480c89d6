import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';

export type StateLock = AsyncDisposable;

/** The table of locks: their names and the socket addresses of their holders. */
export interface LockTable {
  /** Where sockets are created. Their addresses are relative to it, because containers mount it at different paths. */
  readonly folder: string;
  read(): readonly LockRow[];
  /** Replaces the holder, unless another process has replaced it. Undefined stands for no holder. */
  replace(name: string, from: string | undefined, to: string | undefined): boolean;
}

interface LockRow {
  readonly name: string;
  readonly address: string;
}

/**
 * A holder listens on a socket, which the system closes when its process ends. So a dead holder is replaced at once,
 * and a reused process ID cannot be mistaken for it.
 */
export async function acquireLock(name: string, table: LockTable): Promise<StateLock | undefined> {
  const { folder } = table;
  const holder = findHolder(name, table);
  if (holder !== undefined && (await isListening(folder, holder))) return undefined;
  const address = createAddress(folder);
  const server = createServer((socket) => socket.destroy());
  server.unref();
  server.listen(resolveAddress(folder, address));
  await once(server, 'listening');
  const close = async () => {
    server.close();
    await once(server, 'close');
  };
  try {
    if (!table.replace(name, holder, address)) {
      await close();
      return await acquireLock(name, table);
    }
    await removeDeadLocks(table);
  } catch (error) {
    if (server.listening) await close();
    throw error;
  }
  if (holder !== undefined) await rm(resolveAddress(folder, holder), { force: true });
  return {
    async [Symbol.asyncDispose]() {
      await close();
      try {
        table.replace(name, address, undefined);
      } catch {
        // The next holder replaces a dead one.
      }
    },
  };
}

export async function isLocked(name: string, table: LockTable): Promise<boolean> {
  const holder = findHolder(name, table);
  return holder !== undefined && (await isListening(table.folder, holder));
}

function findHolder(name: string, table: LockTable): string | undefined {
  return table.read().find((lock) => lock.name === name)?.address;
}

async function removeDeadLocks(table: LockTable): Promise<void> {
  for (const { name, address } of table.read()) {
    if (await isListening(table.folder, address)) continue;
    if (table.replace(name, address, undefined))
      await rm(resolveAddress(table.folder, address), { force: true });
  }
}

const sqliteBusy = 5;

/** The files that this process has locked. The garbage collector would end one that nobody refers to. */
const held = new Map<string, DisposableStack>();

/**
 * Locks a file until disposal, or until the process ends, however it ends. Returns undefined where somebody else holds it.
 * SQLite's locks also hold between containers that share a folder, where process IDs say nothing, and on network drives.
 * Throws where the file cannot be created or locked.
 */
export async function lockFile(path: string): Promise<StateLock | undefined> {
  const { DatabaseSync } = await import('node:sqlite');
  // To close a file for the second time in a process ends its lock.
  while (!held.has(path)) {
    using resources = new DisposableStack();
    const descriptor = resources.adopt(openSync(path, 'a', 0o600), closeSync);
    const database = resources.use(new DatabaseSync(path, { timeout: 0 }));
    try {
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      if (!isAt(path, descriptor)) continue;
      if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined;
      throw error;
    }
    if (!isAt(path, descriptor)) continue;
    held.set(path, resources.move());
    return { [Symbol.asyncDispose]: async () => release(path) };
  }
  return undefined;
}

/** Whether a path still leads to an open file: whoever held its lock removes it. */
function isAt(path: string, descriptor: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  const open = fstatSync(descriptor, { bigint: true });
  return found?.ino === open.ino && found.dev === open.dev;
}

/** Removes the file first, since somebody else may lock it then. Windows removes it only once it is closed. */
function release(path: string): void {
  const resources = held.get(path);
  if (!held.delete(path)) return;
  const remove = () => rmSync(path, { force: true });
  try {
    remove();
    resources?.dispose();
  } catch {
    resources?.dispose();
    remove();
  }
}

const deadCodes = ['ECONNREFUSED', 'ENOENT'];

async function isListening(folder: string, address: string): Promise<boolean> {
  const socket = connect(resolveAddress(folder, address));
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    // Any other failure may come from a live process that is stopped or belongs to another user.
    return !(error instanceof Error && 'code' in error && deadCodes.includes(String(error.code)));
  } finally {
    socket.destroy();
  }
}

/** Systems limit the path of a socket to about a hundred bytes. */
const longestPath = 100;

function createAddress(folder: string): string {
  const id = randomUUID().slice(0, 8);
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  if (platform() === 'win32') return `\\\\.\\pipe\\salon-${digest}-${id}`;
  const name = `.lock-${id}`;
  const isShort = Buffer.byteLength(join(folder, name)) <= longestPath;
  return isShort ? name : join(tmpdir(), `salon-${digest}-${id}`);
}

function resolveAddress(folder: string, address: string): string {
  return isAbsolute(address) ? address : join(folder, address);
}
