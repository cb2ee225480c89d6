import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type SchemeName, schemeNames } from '../../src/webhooks/schemes.ts';
import { createWebhookSecret, signWebhook } from '../../src/webhooks/signature.ts';
import { verifyDelivery } from '../../src/webhooks/verify.ts';

const secret = createWebhookSecret(() => Buffer.alloc(32, 'salon'));
const body = '{"event":"appointment.cancelled","payload":{"id":7}}';
const now = new Date('2026-11-21T12:00:00Z');
const seconds = now.getTime() / 1000;
const url = 'https://shop.example/hooks';

const hmac = (content: string) => createHmac('sha256', secret).update(content);
const hex = hmac(body).digest('hex');
const base64 = hmac(body).digest('base64');
const stripe = `t=${seconds},v0=00,v1=${hmac(`${seconds}.${body}`).digest('hex')}`;
const square = hmac(url + body).digest('base64');

const verify = (
  headers: Readonly<Record<string, string>>,
  options: { scheme?: SchemeName; now?: Date; url?: string } = {},
) => verifyDelivery({ headers, body, secret }, { now, url, ...options });

describe('another scheme', () => {
  it.each<[string, SchemeName, Record<string, string>]>([
    ['plain hex of the body', 'hmac', { 'X-Signature': hex }],
    ['plain hex in capitals', 'hmac', { 'X-Signature': hex.toUpperCase() }],
    ['plain base64', 'hmac', { 'X-Acuity-Signature': base64 }],
    ['as GitHub names it', 'hmac', { 'X-Hub-Signature': 'sha1=0', 'X-Hub-Signature-256': `sha256=${hex}` }],
    ['as Mindbody writes it', 'hmac', { 'X-Mindbody-Signature': `sha256=${base64}` }],
    ['Stripe’s', 'stripe', { 'Stripe-Signature': stripe }],
    ['Stripe’s under another name', 'stripe', { 'Calendly-Webhook-Signature': stripe.replaceAll(',', ', ') }],
    ['Square’s', 'square', { 'x-square-hmacsha256-signature': square, 'x-square-signature': 'old' }],
  ])('is detected: %s', (_, scheme, headers) => {
    const verified = verify(headers);
    expect(verified).toMatchObject({ scheme, event: { type: 'booking.cancelled', payload: { id: 7 } } });
    expect(verify(headers, { scheme })).toEqual(verified);
  });

  it.each([
    ['plain', { 'x-signature': hex.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }],
    ['Stripe’s', { 'stripe-signature': stripe.replace(`t=${seconds}`, `t=${seconds + 1}`) }],
    ['Stripe’s, of a body alone', { 'stripe-signature': `t=${seconds},v1=${hex}` }],
    ['Square’s, of a body alone', { 'x-square-hmacsha256-signature': base64 }],
  ])('is refused if the signature covers something else: %s', (_, headers) => {
    expect(() => verify(headers)).toThrow(
      expect.objectContaining({ members: { reason: 'no_signature_matches' } }),
    );
  });

  it.each([
    ['a plain one that is no SHA-256', { 'x-signature': 'sha1=da39a3ee5e6b4b0d3255bfef95601890afd80709' }],
    ['Stripe’s without a time', { 'stripe-signature': `t=,v1=${hex}` }],
  ])('is refused if malformed: %s', (_, headers) => {
    expect(() => verify(headers)).toThrow(
      expect.objectContaining({ members: { reason: 'malformed_header' } }),
    );
  });

  it('returns Stripe’s signing time and checks the tolerance', () => {
    expect(verify({ 'stripe-signature': stripe }).signedAt).toEqual(now);
    const later = new Date(now.getTime() + 301_000);
    expect(() => verify({ 'stripe-signature': stripe }, { now: later })).toThrow('too old');
  });

  it('returns no time if none is signed', () => {
    expect(verify({ 'x-signature': hex }).signedAt).toBeUndefined();
  });

  it('needs the URL for Square', () => {
    const headers = { 'x-square-hmacsha256-signature': square };
    expect(() => verifyDelivery({ headers, body, secret }, { now })).toThrow(
      expect.objectContaining({ members: { reason: 'address_unknown' } }),
    );
    expect(() => verify(headers, { url: `${url}/` })).toThrow('The signature does not match');
  });
});

describe('a chosen scheme', () => {
  it.each(schemeNames)('ignores headers of other schemes: %s', (scheme) => {
    const every: Readonly<Record<SchemeName, Record<string, string>>> = {
      standard: signWebhook({ id: 'evt_1', timestamp: now, body }, secret),
      stripe: { 'stripe-signature': stripe },
      square: { 'x-square-hmacsha256-signature': square },
      hmac: { 'x-signature': hex },
    };
    const { [scheme]: own, ...others } = every;
    expect(verify(own, { scheme }).scheme).toBe(scheme);
    for (const headers of Object.values<Readonly<Record<string, string>>>(others)) {
      expect(() => verify(headers, { scheme })).toThrow(expect.objectContaining({ code: 'webhook_refused' }));
    }
  });

  it('cannot be downgraded by other headers', () => {
    const headers = signWebhook({ id: 'evt_1', timestamp: new Date(0), body }, secret);
    expect(() => verify({ ...headers, 'x-signature': hex })).toThrow('too old');
  });
});
