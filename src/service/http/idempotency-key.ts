import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { invalidQuery } from '../domain/validation.ts';

const visible = /^[!-~]{1,255}$/;

/** The `Idempotency-Key` of a request; undefined where it has none. Throws `invalid_parameter`. */
export function readIdempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || (typeof key === 'string' && visible.test(key))) {
    return key;
  }
  const detail = 'Idempotency-Key must be 1 to 255 visible ASCII characters.';
  throw invalidQuery([{ parameter: 'Idempotency-Key', code: 'invalid_format', detail }]);
}

/** What a request asks for, as SHA-256: equal for a repeat, whichever prefix it came under. */
export function toDigest(asked: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(asked));
}
