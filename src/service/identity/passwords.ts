import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { SalonError } from '../../contract/errors.ts';
import { createBoundedQueue } from '../../queue.ts';
import type { Environment } from '../domain/context.ts';

/** The cost of argon2id. */
export interface PasswordCost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly lanes: number;
}

/** The second recommendation of RFC 9106: about 0.1 s. */
export const defaultPasswordCost: PasswordCost = { memoryKib: 65_536, passes: 3, lanes: 4 };

const argon2Async = promisify(argon2);
const saltBytes = 16;
const tagBytes = 32;
/** Each takes its memory and a thread. */
const queueLimits = { maxRunning: 2, maxPending: 66 };
/** In UTF-8. Longer ones are wrong without being hashed whole. */
export const maxPasswordBytes = 1024;

export function createPasswords(environment: Pick<Environment, 'random'>, cost: PasswordCost) {
  const queue = createBoundedQueue({ ...queueLimits, refuse });
  const unknownHash = toPhc(cost, Buffer.alloc(saltBytes), Buffer.alloc(tagBytes));

  async function derive(password: string, salt: Uint8Array, { memoryKib, passes, lanes }: PasswordCost) {
    const parameters = { nonce: salt, tagLength: tagBytes, memory: memoryKib, passes, parallelism: lanes };
    return queue.run('', () => argon2Async('argon2id', { ...parameters, message: toMessage(password) }));
  }

  return {
    /** A password as a PHC string of argon2id. Throws `service_unavailable` when too many wait. */
    async hash(password: string) {
      const salt = environment.random(saltBytes);
      return toPhc(cost, salt, await derive(password, salt, cost));
    },
    /**
     * Whether a password belongs to a hash. Without a hash it takes as long and is false, so that timing does not reveal
     * which addresses are known. Throws `service_unavailable` when too many wait.
     */
    async verify(password: string, hash = unknownHash) {
      const stored = parsePhc(hash);
      const derived = await derive(password, stored.salt, stored.cost);
      return timingSafeEqual(derived, stored.tag) && !isTooLong(password) && hash !== unknownHash;
    },
    /** Whether a hash was made at another cost. */
    isOutdated: (hash: string) => !hash.startsWith(toPhcHead(cost)),
  };
}

/** Hashes and verifies passwords, a few at a time. */
export type Passwords = ReturnType<typeof createPasswords>;

function toMessage(password: string): Buffer {
  return Buffer.from(password.normalize('NFC')).subarray(0, maxPasswordBytes);
}

/** Whether a password is longer than what is hashed. */
export function isTooLong(password: string): boolean {
  return Buffer.byteLength(password.normalize('NFC')) > maxPasswordBytes;
}

function toPhcHead({ memoryKib, passes, lanes }: PasswordCost): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$`;
}

function toPhc(cost: PasswordCost, salt: Uint8Array, tag: Uint8Array): string {
  const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '');
  return `${toPhcHead(cost)}${encode(salt)}$${encode(tag)}`;
}

function parsePhc(hash: string): { cost: PasswordCost; salt: Buffer; tag: Buffer } {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (parts === null) throw new Error('The password hash is damaged.');
  const [, memory, passes, lanes, salt = '', tag = ''] = parts;
  const cost = { memoryKib: Number(memory), passes: Number(passes), lanes: Number(lanes) };
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') };
}

function refuse(): SalonError {
  const message = 'Too many people are signing in. Try again in a moment.';
  return new SalonError('service_unavailable', message, { retryAfterMs: 5000 });
}
