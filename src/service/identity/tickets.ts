import { hash } from 'node:crypto';
import { minuteMs } from '../../time/time.ts';
import type { Writer } from '../db/engine.ts';
import { insertUsedTicket } from '../db/identity/one-time-links.ts';
import type { Context, Environment } from '../domain/context.ts';

const tokenBytes = 32;

/**
 * A random text that only its holder knows, 43 characters of base64url behind a prefix that tells what it is for, and
 * the hash that is stored.
 */
export function createToken(environment: Pick<Environment, 'random'>, prefix = '') {
  const text = prefix + Buffer.from(environment.random(tokenBytes)).toString('base64url');
  return { text, hash: toTokenHash(text) };
}

/** The SHA-256 of a token or API key in hexadecimal. Both are long and random, so a slow hash is not needed. */
export function toTokenHash(text: string): string {
  return hash('sha256', text, 'hex');
}

/** What a ticket is for, and how long it is good. */
/** How long what a step of a sign-in needs is kept, by its kind. */
export const lifetimesMs = {
  /** Between the password and the code. */
  second_factor: 10 * minuteMs,
  passkey_sign_in: 5 * minuteMs,
  passkey_registration: 5 * minuteMs,
  totp_setup: 30 * minuteMs,
  /** A browser in which a person has signed in before. */
  known_browser: 180 * 24 * 60 * minuteMs,
} as const;

/** What a ticket carries. */
interface Payloads {
  second_factor: { userId: string; passwordHash: string };
  passkey_sign_in: { challenge: string };
  passkey_registration: { challenge: string; userId: string };
  totp_setup: { secret: string; userId: string };
  known_browser: { nonce: string; userId: string };
}

export type TicketKind = keyof typeof lifetimesMs;

type TicketSources = Pick<Context, 'environment' | 'secrets'>;

/** Seals what the next step of a sign-in needs, so that nothing is stored for a person who does not continue. */
export function createTicket<Kind extends TicketKind>(
  { environment, secrets }: TicketSources,
  kind: Kind,
  payload: Payloads[Kind],
): string {
  return secrets.seal(JSON.stringify({ ...payload, ms: environment.now().getTime() }), `ticket ${kind}`);
}

/** What a ticket carries; undefined when it has expired, was made for something else, or is not one of ours. */
export function readTicket<Kind extends TicketKind>(
  { environment, secrets }: TicketSources,
  kind: Kind,
  ticket: string,
): Payloads[Kind] | undefined {
  try {
    const { ms, ...payload } = JSON.parse(secrets.open(ticket, `ticket ${kind}`));
    return environment.now().getTime() - ms < lifetimesMs[kind] ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** Marks a ticket as used. Returns false when it was used before. */
export function takeTicket(
  tx: Writer,
  { environment }: Pick<Context, 'environment'>,
  kind: TicketKind,
  ticket: string,
): Promise<boolean> {
  const now = environment.now().getTime();
  return insertUsedTicket(tx, { hash: toTokenHash(ticket), expires_ms: now + lifetimesMs[kind] }, now);
}
