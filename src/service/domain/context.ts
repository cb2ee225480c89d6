import type { PlanName } from '../../contract/limits.ts';
import type { Role, Scope } from '../../contract/roles.ts';
import type { Database } from '../db/database.ts';

/** The authenticated API key of a request, and its account. */
export interface Caller {
  readonly account: {
    readonly id: string;
    readonly name: string;
    readonly plan: PlanName;
    /** Requests per hour. */
    readonly hourlyLimit: number;
  };
  readonly role: Role;
  readonly scopes: readonly Scope[];
  /** The stylist whose calendar the key is limited to. */
  readonly stylistId: string | null;
  readonly key: { readonly id: string; readonly name: string; readonly expiresAt: Date | null };
}

/** Clock and randomness. */
export interface Environment {
  now(): Date;
  random(size: number): Uint8Array;
}

/** Returns a sentence that says why a URL cannot receive webhooks; undefined when it can. May take seconds. */
export type WebhookAddressCheck = (url: string) => Promise<string | undefined>;

/** What every operation needs. */
export interface Context {
  readonly database: Database;
  readonly environment: Environment;
  readonly checkAddress: WebhookAddressCheck;
  readonly caller: Caller;
}
