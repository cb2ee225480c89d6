import type { PlanName } from '../../contract/limits.ts';
import type { Role, Scope } from '../../contract/roles.ts';
import type { Database } from '../db/database.ts';

/** Who asks, and with which rights. */
export interface Caller {
  readonly account: {
    readonly id: string;
    readonly name: string;
    readonly plan: PlanName;
    /** Requests an hour: the plan's, or the account's own number. */
    readonly hourlyLimit: number;
  };
  readonly role: Role;
  /** What the key may be used for; every scope where it was not narrowed. */
  readonly scopes: readonly Scope[];
  /** Whose calendar a stylist's key reaches. */
  readonly stylistId: string | null;
  readonly key: { readonly id: string; readonly name: string; readonly expiresAt: Date | null };
}

/** Clock and randomness. */
export interface Environment {
  now(): Date;
  random(size: number): Uint8Array;
}

/** Answers why nothing can be delivered to an address, in a sentence; undefined where it can. May take seconds. */
export type WebhookAddressCheck = (url: string) => Promise<string | undefined>;

/** What every operation works on: the records, the world outside, and who asks. */
export interface Context {
  readonly database: Database;
  readonly environment: Environment;
  readonly checkAddress: WebhookAddressCheck;
  readonly caller: Caller;
}
