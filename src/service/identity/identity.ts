import type { Context, NotifyPerson, ServiceUser } from '../domain/context.ts';
import type { Mailer } from './mail.ts';
import type { Passwords } from './passwords.ts';

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

/** Where a sign-in stands. */
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
