import type { PlanName } from '../../contract/limits.ts';
import type { Role, Scope } from '../../contract/roles.ts';
import type { SalonSettings } from '../../contract/salon.ts';
import type { Database } from '../db/database.ts';
import type { Secrets } from '../secrets/secrets.ts';

/** A person with an account on the service. */
export interface ServiceUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** What a request was authenticated with. */
export type CallerCredential =
  | {
      readonly kind: 'api_key';
      readonly id: string;
      readonly name: string;
      readonly expiresAt: Date | null;
      /** Who created it; null for keys of the operator. */
      readonly creator: ServiceUser | null;
      /** Whether it may be used from certain addresses only. */
      readonly hasAddresses?: boolean;
    }
  | {
      readonly kind: 'token';
      readonly id: string;
      readonly app: { readonly id: string; readonly name: string };
      /** Who allowed it; null with client credentials. */
      readonly user: ServiceUser | null;
      readonly expiresAt: Date;
      /** With client credentials: the person or API key that generated the app's secret; null for others. */
      readonly secretBy?: string | null;
    }
  | { readonly kind: 'session'; readonly id: string; readonly user: ServiceUser }
  /** The command line on the machine of the service: `salon server …`. */
  | { readonly kind: 'operator' };

/** The person who holds a credential: what a person's key creates ends with that person, too. */
export function toHolder(credential: CallerCredential): ServiceUser | null {
  if (credential.kind === 'operator') return null;
  return credential.kind === 'api_key' ? credential.creator : credential.user;
}

/** Who sends a request, to which account, with which rights. */
export interface Caller {
  readonly account: {
    readonly id: string;
    readonly name: string;
    readonly plan: PlanName;
    /** Requests per hour. */
    readonly hourlyLimit: number;
    /** The settings of the salon, as far as they are set; none where no response names them. */
    readonly settings: Partial<SalonSettings>;
  };
  readonly role: Role;
  readonly scopes: readonly Scope[];
  /** The stylist whose calendar the caller is limited to. */
  readonly stylistId: string | null;
  readonly credential: CallerCredential;
}

/** Where a request comes from; null where there is no request. */
export interface RequestSource {
  readonly requestId: string | null;
  /** The address of the client, not that of a proxy. */
  readonly address: string | null;
}

/** Clock, randomness, and who is served. */
export interface Environment {
  now(): Date;
  random(size: number): Uint8Array;
  /** Version of the time zone database of this process, such as `2026c`. */
  readonly tzVersion?: string | undefined;
  /** Whether it serves one command alone: then it has no pages, and no threads for reading. */
  readonly isOfCommand?: boolean;
}

/** Returns a sentence that says why a URL cannot receive webhooks; undefined when it can. May take seconds. */
export type WebhookAddressCheck = (url: string) => Promise<string | undefined>;

/** Mails a person what happened to their sign-in, without secrets, in the background. */
export type NotifyPerson = (
  context: Pick<Context, 'environment' | 'source'>,
  to: { email: string },
  what: string,
) => void;

/** What every operation needs. */
export interface Context {
  readonly database: Database;
  readonly environment: Environment;
  /** Encrypts what the database must not show. */
  readonly secrets: Secrets;
  readonly checkAddress: WebhookAddressCheck;
  /** Missing without a mail server. */
  readonly notify?: NotifyPerson | undefined;
  readonly caller: Caller;
  readonly source: RequestSource;
  /** Whether changes get no event and no audit entry, because they are undone before anybody could read these. */
  readonly skipsLogs?: boolean;
}

/** Drawn at once: a call for random bytes costs as much as many bytes. */
const poolBytes = 4096;
const maxPooled = 64;

/** The same randomness, drawn in batches where only a few bytes are needed. No byte is given out twice or kept. */
export function poolRandom(random: Environment['random']): Environment['random'] {
  let pool = new Uint8Array(0);
  let next = 0;
  return (size) => {
    if (size > maxPooled) return random(size);
    if (next + size > pool.length) {
      pool = new Uint8Array(random(poolBytes));
      next = 0;
    }
    const bytes = pool.slice(next, next + size);
    pool.fill(0, next, next + size);
    next += size;
    return bytes;
  };
}
