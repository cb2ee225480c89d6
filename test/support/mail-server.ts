import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** What a client sent in one session, from MAIL to the end of the data. */
interface ReceivedMail {
  readonly recipients: readonly string[];
  readonly text: string;
}

/** A mail server on loopback that takes every mail, or refuses every recipient. */
export interface MailServer extends AsyncDisposable {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
}

export async function openMailServer({ refuses = false } = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    void talk(socket, mails, refuses);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function talk(socket: Socket, mails: ReceivedMail[], refuses: boolean): Promise<void> {
  const answer = (line: string) => socket.write(`${line}\r\n`);
  let recipients: string[] = [];
  let data: string[] | undefined;
  socket.on('error', () => {});
  answer('220 test');
  for await (const line of createInterface({ input: socket })) {
    if (data !== undefined && line === '.') {
      // Long lines are folded (quoted-printable).
      mails.push({ recipients, text: data.join('\n').replaceAll('=\n', '') });
      [recipients, data] = [[], undefined];
      answer('250 taken');
    } else if (data !== undefined) {
      data.push(line);
    } else if (line.startsWith('RCPT') && refuses) {
      answer(`550 <secret@salon.example> is not known here`);
    } else if (line.startsWith('RCPT')) {
      recipients.push(line.slice('RCPT TO:'.length));
      answer('250 known');
    } else if (line === 'DATA') {
      data = [];
      answer('354 go on');
    } else {
      answer('250 fine');
    }
  }
}
