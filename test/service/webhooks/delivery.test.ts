import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { version } from '../../../src/cli/io.ts';
import {
  body,
  continueFirst,
  drip,
  halfABody,
  hang,
  nothing,
  openMisbehavingServer,
  type Reply,
  raw,
  reset,
} from '../../support/misbehaving-server.ts';
import { openWebhookSalon } from '../../support/webhook-salon.ts';

const ok = body('');

describe('a delivery', () => {
  it('posts the stored bytes, signed according to Standard Webhooks', async () => {
    await using salon = await openWebhookSalon();
    // The independent verifier uses its own clock.
    salon.clock.nowMs = Date.now();
    await using receiver = await openMisbehavingServer(() => ok);
    const { id, secret } = await salon.addWebhook(`${receiver.origin}/hooks?for=salon`);
    const [eventId] = await salon.addEvents(id, 1);
    const worker = salon.createWorker();
    await worker.deliverAllDue();
    const [request] = receiver.received;
    const text = 'select body from events where id = ?';
    const [event] = await salon.database.reader.run<{ body: string }>(text, [eventId ?? '']);
    expect(request).toMatchObject({ method: 'POST', path: '/hooks', body: event?.body });
    expect(request?.query.get('for')).toBe('salon');
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': `salon/${version}`,
      'webhook-id': eventId,
    });
    const headers = request?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(request?.body ?? '', headers)).toMatchObject({ id: eventId });
    const [delivery] = await salon.readDeliveries(id);
    expect(delivery).toMatchObject({ status: 'delivered', next_ms: null, attempts: 1, leased_until_ms: 0 });
    expect(await salon.readAttempts(delivery?.id ?? '')).toMatchObject([
      { number: 1, at_ms: salon.clock.nowMs, status_code: 200, error: null },
    ]);
  });

  it('is also signed with the previous secret until it expires', async () => {
    await using salon = await openWebhookSalon();
    salon.clock.nowMs = Date.now();
    await using receiver = await openMisbehavingServer(() => ok);
    const former = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const until = salon.clock.nowMs + 1000;
    const { id, secret } = await salon.addWebhook(receiver.origin, { former, untilMs: until });
    const worker = salon.createWorker();
    await salon.addEvents(id, 1);
    await worker.deliverAllDue();
    salon.clock.nowMs = until;
    await salon.addEvents(id, 1);
    await worker.deliverAllDue();
    const [during, after] = receiver.received.map((request) => ({
      verify: (by: string) => new Webhook(by).verify(request.body, request.headers as Record<string, string>),
    }));
    expect(during?.verify(former)).toEqual(during?.verify(secret));
    expect(after?.verify(secret)).toBeDefined();
    expect(() => after?.verify(former)).toThrow();
  });

  const responses: readonly (readonly [string, Reply])[] = [
    ['204', body('', { status: 204 })],
    ['200, and the connection is cut in the body', halfABody],
    ['200, and a body that never ends', endless],
    ['200, and a body that drips', drip],
    ['103, then 200', raw('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')],
  ];
  it.each(responses)('succeeds with %s', async (_title, reply) => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => reply);
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 1);
    const worker = salon.createWorker();
    await worker.deliverAllDue();
    expect(await salon.readDeliveries(id)).toMatchObject([{ status: 'delivered' }]);
  });

  it('frees its connection soon, even if the response never ends', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => drip);
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 40);
    await salon.createWorker({ readMs: 20 }).deliverAllDue();
    expect(await salon.readDeliveries(id)).toMatchObject(Array(40).fill({ status: 'delivered' }));
    // The receiver sees the close a little later.
    expect(receiver.mostAtOnce()).toBeLessThan(24);
  });

  const failures: readonly (readonly [string, Reply, number | null, RegExp])[] = [
    ['500', body('', { status: 500 }), 500, /^HTTP 500\.$/],
    ['404', body('', { status: 404 }), 404, /^HTTP 404\.$/],
    [
      '301',
      body('', { status: 301, headers: { location: '/' } }),
      301,
      /^HTTP 30[14]\. Redirects are not followed\.$/,
    ],
    ['304', body('', { status: 304 }), 304, /^HTTP 30[14]\. Redirects are not followed\.$/],
    [
      'an unasked 100 Continue',
      continueFirst(ok),
      null,
      /^The receiver sent 100 Continue, which the request did not ask for\.$/,
    ],
    ['a closed connection', nothing, null, /^Connection closed by the receiver\.$/],
    ['a reset', reset, null, /^Connection closed by the receiver\.$/],
    ['no response', hang, null, /^No response within 0\.05 s\.$/],
    ['not HTTP', raw('SSH-2.0-OpenSSH\r\n\r\n'), null, /^The response is not valid HTTP\.$/],
    [
      'an incomplete head',
      raw('HTTP/1.1 200 OK\r\ncontent-le'),
      null,
      /^Connection closed by the receiver\.$/,
    ],
  ];
  it.each(failures)('is retried after %s, but not earlier', async (_title, reply, status, error) => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => reply);
    const { id } = await salon.addWebhook(receiver.origin);
    await salon.addEvents(id, 1);
    const worker = salon.createWorker(reply === hang ? { timeoutMs: 50 } : {});
    await worker.deliverAllDue();
    await worker.deliverAllDue();
    expect(receiver.received).toHaveLength(1);
    const [delivery] = await salon.readDeliveries(id);
    expect(delivery).toMatchObject({ status: 'pending', next_ms: salon.clock.nowMs + 5000, attempts: 1 });
    expect(await salon.readAttempts(delivery?.id ?? '')).toMatchObject([
      { status_code: status, error: expect.stringMatching(error) },
    ]);
  });

  it('is retried if the connection is refused', async () => {
    await using salon = await openWebhookSalon();
    const receiver = await openMisbehavingServer(() => ok);
    const { id } = await salon.addWebhook(receiver.origin);
    await receiver[Symbol.asyncDispose]();
    await salon.addEvents(id, 1);
    const worker = salon.createWorker();
    await worker.deliverAllDue();
    const [delivery] = await salon.readDeliveries(id);
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1 });
    expect(await salon.readAttempts(delivery?.id ?? '')).toMatchObject([
      { status_code: null, error: 'Connection refused.' },
    ]);
  });

  it('sends the registered host name, not the address', async () => {
    await using salon = await openWebhookSalon();
    await using receiver = await openMisbehavingServer(() => ok);
    const { id } = await salon.addWebhook(receiver.origin.replace('127.0.0.1', 'hooks.example'));
    await salon.addEvents(id, 1);
    const worker = salon.createWorker();
    await worker.deliverAllDue();
    expect(receiver.received[0]?.headers.host).toMatch(/^hooks\.example:/);
  });
});

/** An endless body. */
function endless(response: Parameters<Reply>[0]): void {
  response.writeHead(200);
  const write = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  };
  response.on('drain', write);
  write();
}
