import type { Context, Environment, NotifyPerson, ServiceUser } from '../domain/context.ts';
import { createMailer, type Mailer, type MailSettings } from './mail.ts';
import { createPasswords, defaultPasswordCost, type PasswordCost, type Passwords } from './passwords.ts';

/** What signing in needs besides a context. */
export interface SignInServices {
  readonly passwords: Passwords;
  /** Null when no mail server is configured. */
  readonly mailer: Mailer | null;
  readonly notify: NotifyPerson | undefined;
  /** Does what the answer to a request must not wait for, because its time would tell something. */
  inBackground(act: () => Promise<void>): void;
}

/** The context of a request of a person who has not signed in yet. */
export type SignInContext = Omit<Context, 'caller' | 'checkAddress'> & { readonly identity: SignInServices };

/** The context of a person who has signed in. */
export type PersonContext = Context & { readonly identity: SignInServices };

/** The browser of a person. */
export interface Browser {
  /** The value of the cookie that a former sign-in has set. */
  readonly device: string | undefined;
  readonly userAgent: string | null;
}

/** The result of a step of a sign-in. */
export type SignInResult =
  | {
      readonly status: 'signed_in';
      /** The session's token: the value of its cookie. */
      readonly token: string;
      /** The value of the cookie by which this browser is known at the next sign-in. */
      readonly device: string;
      /** The person to notify, because this browser is new to them. */
      readonly stranger?: ServiceUser;
    }
  | {
      readonly status: 'second_factor';
      /** To be sent back with the code. */
      readonly ticket: string;
    }
  | {
      readonly status: 'refused';
      /** A sentence for the person. */
      readonly message: string;
      readonly retryAfterMs?: number;
    };

export interface IdentitySettings {
  /** Default: what RFC 9106 recommends. */
  readonly passwordCost?: PasswordCost | undefined;
  /** Without them, links are shown instead of mailed. */
  readonly mail?: MailSettings | undefined;
  readonly environment: Pick<Environment, 'random'>;
  /** Called when work in the background fails. */
  readonly onError: (error: unknown) => void;
}

const ifNotYou =
  'If this was not you, change your password in the settings, end other sessions, and tell the others who manage your salon.';

/** Opens what signing in needs. `close` waits for mails that are being sent. */
export function openIdentity(settings: IdentitySettings): SignInServices & { close(): Promise<void> } {
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
    inBackground(async () => mailer?.deliver({ to, subject, text }));
  };
  return {
    passwords: createPasswords(environment, passwordCost),
    ...{ mailer, inBackground, notify: mailer === null ? undefined : send },
    async close() {
      mailer?.close();
      await Promise.all(running);
    },
  };
}
