import { setTimeout as delay } from 'node:timers/promises';
import type { Transporter } from 'nodemailer';
import { SalonError } from '../../contract/errors.ts';

/** The mail server, such as `smtps://user:password@mail.example`, and the address that mails come from. */
export interface MailSettings {
  readonly url: string;
  readonly from: string;
}

/** A mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A server that lists senders in grey takes a mail after minutes. */
const retryDelaysMs = [1, 5, 15, 30].map((minutes) => minutes * 60_000);

type Wait = (ms: number, value: undefined, options: { signal: AbortSignal; ref: false }) => Promise<void>;

const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost'];

/** Whether mails wait for an encrypted connection: unless the server is this machine, or `requireTLS` says otherwise. */
export function requiresTls(url: string): boolean {
  const { protocol, hostname, searchParams } = new URL(url);
  const chosen = searchParams.get('requireTLS');
  return protocol === 'smtps:' || (chosen === null ? !loopbackHosts.includes(hostname) : chosen === 'true');
}

/** Whether the operator lets mails leave unencrypted. */
export function isTlsTurnedOff(url: string): boolean {
  return !requiresTls(url) && new URL(url).searchParams.has('requireTLS');
}

/** Connects for each mail. One attempt ends after `timeoutMs`. */
export function createMailer({ url, from }: MailSettings, { wait = delay as Wait, timeoutMs = 30_000 } = {}) {
  let opened: Promise<Transporter> | undefined;
  const closing = new AbortController();
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      ...{ url, requireTLS: requiresTls(url), disableFileAccess: true, disableUrlAccess: true },
    });
  };
  const send = async ({ to, subject, text }: Mail): Promise<void> => {
    opened ??= open();
    const transport = await opened;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      // As an object, so that nothing in an address is read as a second one.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text, signal });
    } catch (cause) {
      const { responseCode } = Object(cause);
      throw new SalonError('service_unavailable', `The mail was not sent: ${toReason(cause, url)}.`, {
        retryable: responseCode >= 400 && responseCode < 500,
        cause,
      });
    }
  };
  return {
    /**
     * Hands a mail to the mail server. Throws `service_unavailable` with a reason that contains no address or password;
     * `retryable` if the server asks to try again later.
     */
    send,
    /** Offers a mail again for up to an hour while the server asks for it, until the mailer is closed. Throws as `send`. */
    async deliver(mail: Mail): Promise<void> {
      for (const ms of retryDelaysMs) {
        try {
          return await send(mail);
        } catch (error) {
          if (!(error instanceof SalonError && error.retryable)) throw error;
          await wait(ms, undefined, { signal: closing.signal, ref: false }).catch(() => {
            throw error;
          });
        }
      }
      return send(mail);
    },
    /** Ends waiting, not sending. */
    close(): void {
      closing.abort();
      opened?.then(
        (transport) => transport.close(),
        () => {},
      );
    },
  };
}

export type Mailer = ReturnType<typeof createMailer>;

/** What the mail server said may repeat addresses and passwords, so only its codes are reported. */
function toReason(error: unknown, url: string): string {
  const { code, originalCode, responseCode, command } = Object(error);
  const answer = typeof responseCode === 'number' ? ` (answer ${responseCode})` : '';
  if (code === 'ETLS' && command === 'STARTTLS') {
    return `the mail server refused encryption (STARTTLS)${answer}`;
  }
  if (answer !== '') return `the mail server answered ${responseCode}`;
  if (code === 'EABORT')
    return 'the mail server did not answer in time; port 465 wants smtps://, others smtp://';
  if (code === 'EPROTOCOL' || command === 'EHLO') return 'what answers is no mail server';
  const reason = String(originalCode ?? code ?? 'unknown error');
  if (reason === 'ECONNREFUSED') return 'the mail server refused the connection (ECONNREFUSED)';
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(reason)) {
    return `the certificate of the mail server is not trusted (${reason})`;
  }
  if (/^(ERR_SSL_|EPROTO)/.test(reason)) {
    return url.startsWith('smtps:')
      ? `the port does not speak TLS from the start; use smtp:// (${reason})`
      : `what the mail server sent after STARTTLS is not TLS (${reason})`;
  }
  return `no connection to the mail server (${reason})`;
}
