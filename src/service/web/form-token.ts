import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Environment } from '../domain/context.ts';

const nonceBytes = 16;
const digestBytes = 32;

/**
 * Makes the token of a page's forms. It proves that a form comes from a page that was shown in this browser: another
 * site knows neither the session's cookie nor what is derived from it.
 */
export function createFormToken(environment: Pick<Environment, 'random'>, secret: string): string {
  const nonce = Buffer.from(environment.random(nonceBytes)).toString('base64url');
  return `${nonce}.${sign(nonce, secret).toString('base64url')}`;
}

export function isFormToken(token: string, secret: string): boolean {
  const [nonce = '', digest = ''] = token.split('.', 2);
  const given = Buffer.from(digest, 'base64url');
  return given.length === digestBytes && timingSafeEqual(given, sign(nonce, secret));
}

function sign(nonce: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(`form ${nonce}`).digest();
}
