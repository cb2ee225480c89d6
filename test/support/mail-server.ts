import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { TLSSocket } from 'node:tls';
import type { CertificateFiles } from './certificates.ts';

/** What a client sent in one session, from MAIL to the end of the data. */
interface ReceivedMail {
  readonly recipients: readonly string[];
  readonly text: string;
}

interface MailServerOptions {
  /** Refuses every recipient. */
  readonly refuses?: boolean;
  /** How often to ask for another attempt later, as greylisting does. */
  readonly postpones?: number;
  /** What it greets with; null for a server that never says anything. */
  readonly greeting?: string | null;
  /** The answer to EHLO. */
  readonly welcome?: string;
  /** The answer to STARTTLS of a server that offers it and does not do it, or what to encrypt with. */
  readonly startTls?: string | CertificateFiles;
}

/** A mail server on loopback that takes every mail, unless it is told otherwise. */
export interface MailServer extends AsyncDisposable {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Every command, as it was read from the network. */
  readonly commands: readonly string[];
}

export async function openMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const session = { ...options, postponed: 0, mails: [] as ReceivedMail[], commands: [] as string[] };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const { greeting = '220 test' } = options;
    if (greeting !== null) socket.write(`${greeting}\r\n`);
    void talk(socket, session);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ mails: session.mails, commands: session.commands },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

type Session = MailServerOptions & { postponed: number; mails: ReceivedMail[]; commands: string[] };

async function talk(socket: Socket, session: Session): Promise<void> {
  const { mails, commands, refuses = false, postpones = 0, startTls } = session;
  const answer = (line: string) => socket.write(`${line}\r\n`);
  let recipients: string[] = [];
  let data: string[] | undefined;
  socket.on('error', () => {});
  for await (const line of createInterface({ input: socket })) {
    if (data === undefined) commands.push(line);
    if (data !== undefined && line === '.') {
      // Long lines are folded (quoted-printable).
      mails.push({ recipients, text: data.join('\n').replaceAll('=\n', '') });
      [recipients, data] = [[], undefined];
      answer('250 taken');
    } else if (data !== undefined) {
      data.push(line);
    } else if (line.startsWith('EHLO') && startTls !== undefined && !(socket instanceof TLSSocket)) {
      answer('250-test\r\n250-STARTTLS\r\n250 AUTH PLAIN');
    } else if (line.startsWith('EHLO')) {
      answer(session.welcome ?? '250-test\r\n250 AUTH PLAIN');
    } else if (line.startsWith('AUTH')) {
      answer('235 welcome');
    } else if (line === 'STARTTLS' && typeof startTls === 'object') {
      answer('220 go on');
      const [cert, key] = [readFileSync(startTls.cert), readFileSync(startTls.key)];
      return talk(new TLSSocket(socket, { isServer: true, cert, key }), session);
    } else if (line === 'STARTTLS') {
      const said = typeof startTls === 'string' ? startTls : '502 unknown';
      if (said.startsWith('220')) socket.once('data', () => answer('500 what?'));
      answer(said);
    } else if (line.startsWith('RCPT') && refuses) {
      answer(`550 <secret@salon.example> is not known here`);
    } else if (line.startsWith('RCPT') && session.postponed < postpones) {
      session.postponed++;
      answer('451 <secret@salon.example> is greylisted');
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
