import { connect, type Socket } from 'node:net';

/** A load: the server's port and the text of the next HTTP/1.1 request. */
export interface Load {
  readonly port: number;
  readonly toRequest: () => string;
}

const connections = 16;
const headEnd = '\r\n\r\n';

/**
 * Sends requests over 16 connections, each as soon as the last one is answered, and returns responses per second.
 * Throws unless all succeed.
 */
export async function measureRate(load: Load, durationMs: number): Promise<number> {
  const startedAt = performance.now();
  const counts = await Promise.all(
    Array.from({ length: connections }, () => askOnOneConnection(load, startedAt + durationMs)),
  );
  const answered = counts.reduce((sum, count) => sum + count, 0);
  return (answered * 1000) / (performance.now() - startedAt);
}

/** A request for a page; the bare handler ignores the key. */
export function toGet(path: string, key = 'none'): string {
  return `GET ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${key}\r\n\r\n`;
}

function askOnOneConnection({ port, toRequest }: Load, endsAt: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let answered = 0;
    let bytesLeft = 0;
    const ask = () => {
      if (performance.now() < endsAt) socket.write(toRequest());
      else socket.end(() => resolve(answered));
    };
    socket.on('connect', ask);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      bytesLeft = bytesLeft === 0 ? readLength(socket, chunk) - chunk.length : bytesLeft - chunk.length;
      if (bytesLeft > 0) return;
      answered += 1;
      ask();
    });
  });
}

/** The length of a whole response, from its first bytes; the head fits into one chunk. */
function readLength(socket: Socket, chunk: Buffer): number {
  const end = chunk.indexOf(headEnd);
  const head = chunk.toString('latin1', 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (end === -1 || length === undefined || !/^HTTP\/1\.1 2/.test(head)) {
    throw new Error(`${socket.remotePort} answered "${head.slice(0, 80)}".`);
  }
  return end + headEnd.length + Number(length);
}
