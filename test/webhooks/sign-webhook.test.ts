import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createWebhookSecret, signWebhook } from '../../src/webhooks/signature.ts';
import { verifyWebhook } from '../../src/webhooks/verify.ts';

const secrets = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => createWebhookSecret(() => bytes));
const ids = fc.string({ minLength: 1, unit: fc.constantFrom(...'abcdefXYZ0189_-') });
const bodies = fc
  .record({ type: fc.constantFrom('booking.created', 'client.updated'), data: fc.jsonValue() })
  .map((body) => JSON.stringify(body));

describe('a webhook signed here', () => {
  it('is accepted by the Standard Webhooks library', () => {
    fc.assert(
      fc.property(secrets, ids, bodies, (secret, id, body) => {
        const headers = signWebhook({ id, timestamp: new Date(), body }, secret);
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      }),
    );
  });

  it('matches the specification’s example', () => {
    const headers = signWebhook(
      {
        id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        timestamp: new Date(1_614_265_330_000),
        body: '{"test": 2432232314}',
      },
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    );
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('has one signature per secret during a rotation, accepted by both receivers', () => {
    const [former, next] = [
      createWebhookSecret(() => Buffer.alloc(32, 1)),
      createWebhookSecret(() => Buffer.alloc(32, 2)),
    ];
    const body = '{"type":"webhook.test"}';
    const headers = signWebhook({ id: 'evt_1', timestamp: new Date(), body }, [next, former]);
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
    for (const secret of [former, next]) {
      expect(new Webhook(secret).verify(body, headers)).toEqual({ type: 'webhook.test' });
      expect(verifyWebhook(headers, body, secret)).toMatchObject({ type: 'webhook.test' });
    }
  });
});

describe('a webhook signed by the library', () => {
  it('is accepted here', () => {
    fc.assert(
      fc.property(secrets, ids, bodies, (secret, id, body) => {
        const now = new Date();
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': new Webhook(secret).sign(id, now, body),
        };
        expect(verifyWebhook(headers, body, secret, { now })).toEqual({ id, ...JSON.parse(body) });
      }),
    );
  });
});
