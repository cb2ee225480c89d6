import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { CertificateFiles } from './certificates.ts';

/** A server that begins sessions only to refuse them. */
export interface RefusingPostgres extends AsyncDisposable {
  readonly location: string;
  /** Connections that are still open. */
  readonly open: ReadonlySet<Socket>;
}

/** Answers every start of a session with an error: https://www.postgresql.org/docs/current/errcodes-appendix.html */
export function openRefusingPostgres(code: string, message: string): Promise<RefusingPostgres> {
  const fields = `SFATAL\0VFATAL\0C${code}\0M${message}\0\0`;
  return openPostgresServer((socket) => socket.once('data', () => socket.end(toMessage('E', fields))));
}

/** Asks for a password by SCRAM-SHA-256, and waits for it. */
export function openAskingPostgres(): Promise<RefusingPostgres> {
  return openPostgresServer(async (socket) => {
    await once(socket, 'data');
    socket.write(toMessage('R', '\0\0\0\x0aSCRAM-SHA-256\0\0'));
    const [begun] = await once(socket, 'data');
    const [, nonce = ''] = /r=([^,]*)/.exec(String(begun)) ?? [];
    socket.write(toMessage('R', `\0\0\0\x0br=${nonce}more,s=c2FsdA==,i=4096`));
  });
}

/** Accepts TLS, and nothing else. */
export function openTlsPostgres({ cert, key }: CertificateFiles): Promise<RefusingPostgres> {
  return openPostgresServer((socket) => {
    socket.once('data', () => {
      socket.write('S');
      const options = { isServer: true, cert: readFileSync(cert), key: readFileSync(key) };
      new TLSSocket(socket, options).on('error', () => {});
    });
  });
}

async function openPostgresServer(begin: (socket: Socket) => unknown): Promise<RefusingPostgres> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => {});
    begin(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    location: `postgres://ana:hunter2@127.0.0.1:${port}/salon`,
    open,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
function toMessage(type: string, body: string): Buffer {
  const content = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}
