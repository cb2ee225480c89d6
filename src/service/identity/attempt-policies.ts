import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { minuteMs } from '../../time/time.ts';
import type { WindowLimit } from '../domain/window-limit.ts';

interface AttemptPolicy extends Omit<WindowLimit, 'key'> {
  /** Whether others count in it too, so that one success does not clear it. */
  readonly isShared?: boolean;
}

/** A limit on attempts, and by whom or against whom they count. */
export type AttemptLimit = AttemptPolicy & Pick<WindowLimit, 'key'>;

const policies = {
  /** By an address of the network, which an office shares. */
  address: { burst: 50, intervalMs: minuteMs, isShared: true },
  /** Against a person, whether they exist or not: 10, then four an hour. */
  person: { burst: 10, intervalMs: 15 * minuteMs },
  /** From a browser in which the person has signed in before. No one else can use it up. */
  device: { burst: 10, intervalMs: 15 * minuteMs },
  second_factor: { burst: 10, intervalMs: 15 * minuteMs },
  /** Codes of devices that a person types. */
  device_code: { burst: 10, intervalMs: minuteMs },
  /** Mails to a person. */
  mail: { burst: 3, intervalMs: 20 * minuteMs },
} as const satisfies Record<string, AttemptPolicy>;

/** The limit of a kind for a subject, whose name is stored as a hash. */
export function toLimit(kind: keyof typeof policies, subject: string): AttemptLimit {
  return { ...policies[kind], key: `${kind}:${hash('sha256', subject, 'base64url')}` };
}

/** The limit of a client's address. IPv6 gives a household 2^64 addresses, so those count as one. */
export function toAddressLimit(address: string | null): AttemptLimit {
  if (address === null || !ipaddr.isValid(address)) return toLimit('address', 'unknown');
  const parsed = ipaddr.process(address);
  const parts = parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4) : parsed.octets;
  return toLimit('address', `${parsed.kind()} ${parts.join('.')}`);
}
