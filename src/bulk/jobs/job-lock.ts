import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { link, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemCodeOf } from './file-access.ts';

/** That one process alone works on a job. It ends with the process, however that ends. */
export type JobLock = AsyncDisposable;

/**
 * Takes hold of a job by its folder; undefined where another process has it. The holder listens on a socket, which
 * the system closes when the process is gone: nothing has to grow stale first. Claims are numbered files, of which
 * the newest counts, and of two processes that take over from a dead one only one can make the next.
 */
export async function acquireJobLock(folder: string): Promise<JobLock | undefined> {
  const address = toAddress(folder, randomUUID().slice(0, 8));
  const server = createServer((socket) => socket.destroy());
  server.unref();
  server.listen(address);
  await once(server, 'listening');
  const before = await readNewestClaim(folder);
  if (before.isAlive || !(await makeClaim(claimPath(folder, before.number + 1), address))) {
    await close(server);
    return undefined;
  }
  await rm(claimPath(folder, before.number), { force: true });
  if (before.address !== undefined) await rm(before.address, { force: true });
  // The claim stays, dead, so that numbers only ever grow.
  return { [Symbol.asyncDispose]: () => close(server) };
}

/** Whether a process has hold of a job now. */
export async function isJobLocked(folder: string): Promise<boolean> {
  return (await readNewestClaim(folder)).isAlive;
}

interface Claim {
  readonly number: number;
  readonly address: string | undefined;
  readonly isAlive: boolean;
}

async function readNewestClaim(folder: string): Promise<Claim> {
  const numbers = (await readdir(folder)).flatMap((name) => /^claim-(\d{1,9})$/.exec(name)?.[1] ?? []);
  const number = Math.max(0, ...numbers.map(Number));
  const address = await readFile(claimPath(folder, number), 'utf8').catch(() => undefined);
  return { number, address, isAlive: address !== undefined && (await isListening(address)) };
}

/** Writes a claim, whole and only if its number is free. */
async function makeClaim(path: string, address: string): Promise<boolean> {
  const draft = `${path}-${randomUUID()}`;
  await writeFile(draft, address, { mode: 0o600 });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

function claimPath(folder: string, number: number): string {
  return join(folder, `claim-${number}`);
}

async function isListening(address: string): Promise<boolean> {
  const socket = connect(address);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Systems take a hundred bytes or so for the path of a socket. */
const longestPath = 100;

function toAddress(folder: string, name: string): string {
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  if (platform() === 'win32') return `\\\\.\\pipe\\salon-${digest}-${name}`;
  const beside = join(folder, `alive-${name}`);
  return Buffer.byteLength(beside) <= longestPath ? beside : join(tmpdir(), `salon-${digest}-${name}`);
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  await once(server, 'close');
}
