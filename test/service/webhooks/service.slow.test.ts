import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { openMisbehavingServer, body as reply } from '../../support/misbehaving-server.ts';
import { openTestService, type TestService } from '../../support/service.ts';

const ok = reply('');

/** The response members these tests use. */
interface Said {
  readonly id: string;
  readonly secret: string;
  readonly data: unknown;
}

/** Sends a request as the owner. */
async function ask(service: TestService, request: string, body?: object) {
  const [method = '', path] = request.split(' ');
  const response = await fetch(`${service.origin}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${service.keys.owner}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Said };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

describe('a service', () => {
  it('delivers each change to a webhook, signed with its secret', async () => {
    await using service = await openTestService();
    await using receiver = await openMisbehavingServer(() => ok);
    const { body: webhook } = await ask(service, 'POST /webhooks', {
      ...{ url: receiver.origin, events: ['client.*'] },
    });
    const { body: client } = await ask(service, 'POST /clients', { first_name: 'Ana' });
    await ask(service, `PATCH /clients/${client.id}`, { last_name: 'Lima' });
    await until(() => receiver.received.length === 2);
    const verifier = new Webhook(webhook.secret);
    const events = receiver.received.map(({ body, headers }) =>
      verifier.verify(body, headers as Record<string, string>),
    );
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'client.updated',
        data: expect.objectContaining({ previous_attributes: { last_name: null } }),
      }),
    );
  });

  it('logs that it disabled a webhook, and shows the reason', async () => {
    await using service = await openTestService({ config: { logLevel: 'warn' } });
    await using receiver = await openMisbehavingServer(() => reply('', { status: 410 }));
    const { body: webhook } = await ask(service, 'POST /webhooks', { url: receiver.origin });
    await ask(service, `POST /webhooks/${webhook.id}/test`);
    const readLog = () => service.logged.filter((line) => !line.includes('slow statement'));
    await until(() => readLog().length > 0);
    expect(readLog().map((line) => JSON.parse(line))).toMatchObject([
      { webhook: webhook.id, account: service.id, reason: 'gone', msg: 'webhook disabled' },
    ]);
    const { body: shown } = await ask(service, `GET /webhooks/${webhook.id}`);
    expect(shown).toMatchObject({ active: false, disabled_reason: 'gone' });
    const { body: audited } = await ask(service, 'GET /audit-log?action=webhook.disabled');
    expect(audited.data).toMatchObject([{ record_id: webhook.id, actor: { type: 'service' } }]);
    const { body: log } = await ask(service, `GET /webhooks/${webhook.id}/deliveries`);
    expect(log.data).toMatchObject([{ status: 'failed', attempts: [{ number: 1, status_code: 410 }] }]);
  });

  it('cancels the pending deliveries of a webhook that is disabled and enabled again', async () => {
    await using service = await openTestService();
    const later = reply('', { status: 503, headers: { 'retry-after': '3600' } });
    await using receiver = await openMisbehavingServer((_request, index) => (index === 0 ? later : ok));
    const { body: webhook } = await ask(service, 'POST /webhooks', { url: receiver.origin });
    const path = `/webhooks/${webhook.id}`;
    const isTried = async () =>
      JSON.stringify((await ask(service, `GET ${path}/deliveries`)).body.data).includes('"status_code":503');
    await ask(service, 'POST /clients', { first_name: 'Ana' });
    while (!(await isTried())) await new Promise((resolve) => setImmediate(resolve));
    await ask(service, `PUT ${path}`, { active: false });
    await ask(service, `PUT ${path}`, { active: true });
    await ask(service, `POST ${path}/test`);
    await until(() => receiver.received.length === 2);
    const { body: log } = await ask(service, `GET ${path}/deliveries`);
    expect(log.data).toMatchObject([
      { event_type: 'client.created', status: 'failed', next_attempt_at: null },
      { event_type: 'webhook.test' },
    ]);
  });

  it.each([
    [true, 'http://127.0.0.1:9/', 201],
    [true, 'https://169.254.169.254/', 422],
    [false, 'https://127.0.0.1:9/', 422],
    [false, 'https://[64:ff9b::7f00:1]/', 422],
    [false, 'https://93.184.215.14/', 201],
  ])('that allows loopback: %s, responds to a webhook at %s with %i', async (allows, url, status) => {
    await using service = await openTestService({ config: { allowsLoopbackWebhooks: allows } });
    expect((await ask(service, 'POST /webhooks', { url })).status).toBe(status);
  });
});
