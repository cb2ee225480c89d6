import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SalonError } from '../../src/contract/errors.ts';
import { createWebhookSecret, signWebhook } from '../../src/webhooks/signature.ts';
import { verifyDelivery, verifyWebhook } from '../../src/webhooks/verify.ts';

const secret = createWebhookSecret(() => Buffer.alloc(32, 'salon'));
const otherSecret = createWebhookSecret(() => Buffer.alloc(32, 'other'));
const body = '{"id":"evt_1", "type":"booking.cancelled", "data":{"object":{"service":"Färben"}}}';
const bytes = [...Buffer.from(body)];
const now = new Date('2026-11-21T12:00:00.500Z');
const headers = signWebhook({ id: 'evt_1', timestamp: now, body }, secret);

/** Why a webhook is refused; undefined where it is not. */
function refusalOf(verify: () => unknown): unknown {
  try {
    verify();
    return undefined;
  } catch (error) {
    if (error instanceof SalonError && error.code === 'webhook_refused') return error.members['reason'];
    throw error;
  }
}

describe('a signed webhook', () => {
  it('returns the event', () => {
    expect(verifyWebhook(headers, body, secret, { now })).toEqual(JSON.parse(body));
  });

  it('returns scheme, ID and signing time', () => {
    expect(verifyDelivery({ headers, body, secret }, { now })).toEqual({
      scheme: 'standard',
      id: 'evt_1',
      signedAt: new Date('2026-11-21T12:00:00Z'),
      event: JSON.parse(body),
    });
  });

  it('uses the current time by default', () => {
    const fresh = signWebhook({ id: 'evt_1', timestamp: new Date(), body }, secret);
    expect(verifyWebhook(fresh, body, secret)).toMatchObject({ id: 'evt_1' });
    expect(refusalOf(() => verifyWebhook(headers, body, secret))).toMatch(/^too_(old|new)$/);
  });

  it.each([
    ['as a text', body],
    ['as a Buffer', Buffer.from(body)],
    ['as bytes', new TextEncoder().encode(body)],
    ['as an ArrayBuffer', new TextEncoder().encode(body).buffer],
    ['as an ArrayBuffer of another realm', runInNewContext('Uint8Array.from(bytes).buffer', { bytes })],
    [
      'as a view of a larger buffer',
      new DataView(new TextEncoder().encode(`##${body}#`).buffer, 2, bytes.length),
    ],
  ])('accepts a body %s', (_, given) => {
    expect(verifyWebhook(headers, given, secret, { now }).type).toBe('booking.cancelled');
  });

  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  it.each([
    ['of an incoming message in Node', { host: 'x', 'set-cookie': ['a', 'b'], from: undefined, ...headers }],
    ['of fetch', new Headers(headers)],
    ['in a Map', new Map(Object.entries(headers))],
    ['in capitals', upper],
    ['with lists for values', { ...headers, 'webhook-signature': [headers['webhook-signature']] }],
  ])('accepts headers %s', (_, given) => {
    expect(verifyWebhook(given, body, secret, { now }).type).toBe('booking.cancelled');
  });

  it('may match any of several secrets', () => {
    expect(verifyWebhook(headers, body, [otherSecret, secret], { now }).type).toBe('booking.cancelled');
  });

  it('may contain further signatures and versions, in one header or two', () => {
    const signature = headers['webhook-signature'];
    for (const value of [`v1a,AAAA v1,AAAA ${signature}`, ['v1,AAAA', signature], [signature, 'v1,AAAA']]) {
      const given = { ...headers, 'webhook-signature': value };
      expect(verifyWebhook(given, body, secret, { now }).type).toBe('booking.cancelled');
    }
  });
});

describe('a refused webhook', () => {
  const parsed = JSON.stringify(JSON.parse(body));
  const signed = (text: string | Uint8Array) =>
    signWebhook({ id: 'evt_1', timestamp: now, body: text }, secret);
  it.each([
    ['no headers', {}, body, 'missing_header'],
    ['no id', { ...headers, 'webhook-id': undefined }, body, 'missing_header'],
    ['no timestamp', { ...headers, 'webhook-timestamp': '' }, body, 'missing_header'],
    ['no signature', { ...headers, 'webhook-signature': undefined }, body, 'missing_header'],
    [
      'a date for a timestamp',
      { ...headers, 'webhook-timestamp': now.toISOString() },
      body,
      'malformed_header',
    ],
    ['two timestamps', { ...headers, 'webhook-timestamp': ['1', '2'] }, body, 'malformed_header'],
    ['a signature of no version', { ...headers, 'webhook-signature': 'abc' }, body, 'malformed_header'],
    ['one of another version', { ...headers, 'webhook-signature': 'v1a,abc' }, body, 'malformed_header'],
    [
      'a forged one',
      { ...headers, 'webhook-signature': `v1,${'A'.repeat(43)}=` },
      body,
      'no_signature_matches',
    ],
    ['an id of another webhook', { ...headers, 'webhook-id': 'evt_2' }, body, 'no_signature_matches'],
    ['a later timestamp', { ...headers, 'webhook-timestamp': '1795262401' }, body, 'no_signature_matches'],
    ['a body that was parsed and written again', headers, parsed, 'no_signature_matches'],
    ['a body with a line break more', headers, `${body}\n`, 'no_signature_matches'],
    ['a body that is no JSON', signed('type=booking.created'), 'type=booking.created', 'not_json'],
    ['an empty body', signed(''), '', 'not_json'],
    [
      'a body that is no UTF-8',
      signed(Buffer.from([0x22, 0xff, 0x22])),
      Buffer.from([0x22, 0xff, 0x22]),
      'not_json',
    ],
    ['a body that is no object', signed('["type"]'), '["type"]', 'no_event'],
    ['an object without a name', signed('{"type":7}'), '{"type":7}', 'no_event'],
  ])('%s', (_, given, text, reason) => {
    expect(refusalOf(() => verifyWebhook(given, text, secret, { now }))).toBe(reason);
  });

  it('has another secret’s signature', () => {
    expect(refusalOf(() => verifyWebhook(headers, body, otherSecret, { now }))).toBe('no_signature_matches');
  });

  it.each([
    ['empty', ''],
    ['no list at all', []],
    ['an empty one among others', [secret, '']],
    ['no secret', 'hello'],
  ])('is a usage error if the secret is %s', (_, given) => {
    expect(() => verifyWebhook(headers, body, given, { now })).toThrow(
      expect.objectContaining({ code: 'usage' }),
    );
  });

  it.each([
    ['a body that was parsed', JSON.parse(body), secret],
    ['a secret that is not set', body, undefined],
  ])('is a usage error in untyped programs: %s', (_, given, key) => {
    expect(() => verifyWebhook(headers, given, key as string, { now })).toThrow(
      expect.objectContaining({ code: 'usage' }),
    );
  });
});

describe('the signing time', () => {
  it.each([
    [-300, undefined],
    [-301, 'too_new'],
    [0, undefined],
    [300, undefined],
    [301, 'too_old'],
  ])('may be 5 minutes off either way: %i s later', (seconds, reason) => {
    const judged = new Date(now.getTime() + seconds * 1000);
    expect(refusalOf(() => verifyWebhook(headers, body, secret, { now: judged }))).toBe(reason);
  });

  it('may be as far off as the given tolerance', () => {
    const judged = new Date(now.getTime() + 3_600_000);
    expect(
      refusalOf(() => verifyWebhook(headers, body, secret, { now: judged, toleranceMs: 3_600_000 })),
    ).toBe(undefined);
    expect(
      refusalOf(() => verifyWebhook(headers, body, secret, { now: judged, toleranceMs: 3_599_999 })),
    ).toBe('too_old');
  });

  it('is reported with the time of the check', () => {
    const judged = new Date('2026-11-21T13:00:00Z');
    expect(() => verifyWebhook(headers, body, secret, { now: judged })).toThrow(
      'The signature is too old: 3600 s before 2026-11-21T13:00:00Z; 300 s are allowed.',
    );
  });

  it('does not matter if the signature is wrong', () => {
    const judged = new Date('2036-01-01T00:00:00Z');
    expect(refusalOf(() => verifyWebhook(headers, body, otherSecret, { now: judged }))).toBe(
      'no_signature_matches',
    );
  });
});

describe('a flipped bit', () => {
  const parts = ['body', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
  it.each(parts)('in %s invalidates the webhook', (part) => {
    const texts = fc.record({
      id: fc.uuid(),
      text: fc.jsonValue().map((data) => JSON.stringify({ type: 'x', data })),
    });
    fc.assert(
      fc.property(texts, fc.nat(), fc.integer({ min: 0, max: 7 }), ({ id, text }, at, bit) => {
        const sent = { ...signWebhook({ id, timestamp: now, body: text }, secret), body: text };
        const bytes = Buffer.from(sent[part]);
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
        const { body: given, ...changed } = {
          ...sent,
          [part]: part === 'body' ? bytes : bytes.toString('latin1'),
        };
        expect(refusalOf(() => verifyWebhook(changed, given, secret, { now }))).toMatch(
          /^(no_signature_matches|malformed_header|missing_header)$/,
        );
      }),
    );
  });
});
