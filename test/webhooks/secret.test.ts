import { describe, expect, it } from 'vitest';
import { createWebhookSecret, parseWebhookSecret } from '../../src/webhooks/signature.ts';

const base64Of = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

describe('a webhook secret', () => {
  it('encodes 32 random bytes', () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, index) => index * 7);
    const asked: number[] = [];
    const secret = createWebhookSecret((size) => {
      asked.push(size);
      return bytes;
    });
    expect(asked).toEqual([32]);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Uint8Array.from(parseWebhookSecret(secret))).toEqual(bytes);
  });

  it.each([
    ['without its prefix', base64Of(24)],
    ['without its padding', `whsec_${base64Of(32).replace('=', '')}`],
    ['as long as the specification allows', `whsec_${base64Of(64)}`],
  ])('is read %s', (_, secret) => {
    expect(new Set(parseWebhookSecret(secret))).toEqual(new Set([7]));
  });

  it.each([
    ['empty', ''],
    ['nothing but its prefix', 'whsec_'],
    ['no base64', `whsec_${'?'.repeat(32)}`],
    ['in the alphabet of URLs', `whsec_${Buffer.alloc(32, 0xff).toString('base64url')}`],
    ['cut off', `whsec_${base64Of(23)}`],
    ['too long', `whsec_${base64Of(65)}`],
    ['an API key', 'slk_000000000000000000000000000000000000'],
    ['with a line break at its end', `whsec_${base64Of(32)}\n`],
  ])('is a usage error, and not echoed, when it is %s', (_, secret) => {
    const refused = expect(() => parseWebhookSecret(secret));
    refused.toThrow(expect.objectContaining({ code: 'usage', message: 'Invalid webhook secret.' }));
  });
});
