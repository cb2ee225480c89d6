import type { Environment, NotifyPerson } from '../domain/context.ts';
import type { SignInServices } from './identity.ts';
import { createMailer, type MailSettings } from './mail.ts';
import { createPasswords, defaultPasswordCost, type PasswordCost } from './passwords.ts';

export interface IdentitySettings {
  /** Default: what RFC 9106 recommends. */
  readonly passwordCost?: PasswordCost | undefined;
  /** Without them, links are shown instead of mailed. */
  readonly mail?: MailSettings | undefined;
  readonly environment: Pick<Environment, 'random'>;
  /** Told of work in the background that failed. */
  readonly onError: (error: unknown) => void;
}

/** What signing in needs. `close` waits for mails that are being sent. */
export interface OpenIdentity extends SignInServices {
  close(): Promise<void>;
}

const ifNotYou =
  'If this was not you, change your password in the settings, end other sessions, and tell the others who manage your salon.';

export function openIdentity(settings: IdentitySettings): OpenIdentity {
  const { environment, onError, passwordCost = defaultPasswordCost } = settings;
  const mailer = settings.mail === undefined ? null : createMailer(settings.mail);
  const running = new Set<Promise<void>>();
  const inBackground = (act: () => Promise<void>) => {
    const task = act()
      .catch(onError)
      .finally(() => running.delete(task));
    running.add(task);
  };
  const send: NotifyPerson = (context, { email: to }, subject) => {
    const [at, address] = [context.environment.now().toUTCString(), context.source.address ?? 'unknown'];
    const text = `${subject}.\n\nTime: ${at}\nIP address: ${address}\n\n${ifNotYou}\n`;
    inBackground(async () => mailer?.send({ to, subject, text }));
  };
  return {
    passwords: createPasswords(environment, passwordCost),
    ...{ mailer, inBackground, notify: mailer === null ? undefined : send },
    async close() {
      await Promise.all(running);
      mailer?.close();
    },
  };
}
