import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server that answers every start of a session with an error. */
export interface RefusingPostgres extends AsyncDisposable {
  readonly location: string;
}

/** Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html */
export async function openRefusingPostgres(code: string, message: string): Promise<RefusingPostgres> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => socket.end(toErrorResponse(code, message)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    location: `postgres://ana:hunter2@127.0.0.1:${port}/salon`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
function toErrorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
