import { Socket } from 'node:net';

/**
 * A socket that sends what is written within one turn of the event loop as one block. Statements that follow each other
 * then reach the server together: a system call for each would cost more than the statements.
 */
export function createGatheringSocket(): Socket {
  const socket = new Socket();
  // Connecting sets the method again.
  socket.once('connect', () => gather(socket));
  return socket;
}

function gather(socket: Socket): void {
  const { write } = socket;
  let blocks: Uint8Array[] = [];

  function send(): void {
    const [block] = blocks.length === 1 ? blocks : [Buffer.concat(blocks)];
    blocks = [];
    if (block !== undefined) write.call(socket, block);
  }

  Object.assign(socket, {
    write(block: Uint8Array): boolean {
      if (blocks.length === 0) setImmediate(send);
      blocks.push(block);
      return true;
    },
  });
}
