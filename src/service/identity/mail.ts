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

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Connects at the first mail. */
export function createMailer({ url, from }: MailSettings) {
  let opened: Promise<Transporter> | undefined;
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  };
  return {
    /** Hands a mail to the mail server. Throws `service_unavailable` with a reason that contains no address or password. */
    async send({ to, subject, text }: Mail): Promise<void> {
      opened ??= open();
      const transport = await opened;
      try {
        // As an object, so that nothing in an address is read as a second one.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
      } catch (cause) {
        throw new SalonError('service_unavailable', `The mail was not sent: ${toReason(cause)}.`, { cause });
      }
    },
    close(): void {
      opened?.then(
        (transport) => transport.close(),
        () => {},
      );
    },
  };
}

export type Mailer = ReturnType<typeof createMailer>;

/** What the mail server said may repeat addresses and passwords, so only its codes are reported. */
function toReason(error: unknown): string {
  const { code, responseCode } = Object(error);
  const answer = typeof responseCode === 'number' ? `the mail server answered ${responseCode}` : undefined;
  return answer ?? `no connection to the mail server (${typeof code === 'string' ? code : 'unknown error'})`;
}
