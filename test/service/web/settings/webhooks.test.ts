import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMisbehavingServer, body as replyWith } from '../../../support/misbehaving-server.ts';
import { sendRequest } from '../../../support/send-request.ts';
import { openTestService, type TestService } from '../../../support/service.ts';
import { signInVisitor } from '../../../support/signed-in-visitor.ts';
import type { VisitedPage, Visitor } from '../../../support/visitor.ts';
import { openWebhookReceiver } from '../../../support/webhook-receiver.ts';

const listPath = '/settings/webhooks';
const closedUrl = 'http://127.0.0.1:9/hook';

let service: TestService;
let owner: Visitor;
beforeAll(async () => {
  service = await openTestService();
  await service.addPerson({ email: 'ana@salon.example', name: 'Ana Costa', role: 'owner' });
  await service.addPerson({ email: 'rui@salon.example', name: 'Rui Lima', role: 'receptionist' });
  owner = await signInVisitor(service.origin, 'ana@salon.example');
});
afterAll(() => service[Symbol.asyncDispose]());

async function add(values: Record<string, string | string[]>): Promise<VisitedPage> {
  return owner.press(await owner.open(`${listPath}/new`), 'Add webhook', values);
}

/** The webhooks as the API lists them, newest last. */
async function readWebhooks(): Promise<Record<string, unknown>[]> {
  const url = `${service.origin}/v1/webhooks`;
  return JSON.parse((await sendRequest(url, { key: service.keys.owner })).text).data;
}

async function addOne(url = closedUrl): Promise<string> {
  await add({ url });
  return String((await readWebhooks()).at(-1)?.['id']);
}

/** Opens a page again and again until it shows a text. */
async function openUntil(path: string, text: string): Promise<VisitedPage> {
  for (;;) {
    const page = await owner.open(path);
    if (page.seen.includes(text)) return page;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('Add webhook', () => {
  it('shows a secret once that signs the events', async () => {
    await using receiver = await openWebhookReceiver();
    const page = await add({
      url: receiver.url,
      events: ['booking.*', 'client.created'],
      description: 'Till',
    });
    const secret = /value="(whsec_[^"]+)"/.exec(page.text)?.[1] ?? '';
    expect(page.seen).toContain('not shown again');
    const webhook = (await readWebhooks()).at(-1);
    expect(webhook).toMatchObject({
      url: receiver.url,
      events: ['booking.*', 'client.created'],
      description: 'Till',
    });
    const path = `${listPath}/${webhook?.['id']}`;
    const sent = await owner.press(await owner.open(path), 'Send test event');
    expect(sent.seen).toContain('Sending a test event.');
    expect(sent.text).not.toContain(secret);
    await receiver.until(1);
    const [message] = receiver.received;
    const headers = message?.headers as Record<string, string>;
    expect(new Verifier(secret).verify(message?.body ?? '', headers)).toMatchObject({ type: 'webhook.test' });
    expect((await openUntil(path, 'delivered')).seen).toContain('HTTP 204');
  });

  it.each([
    [{ url: '' }, 'URL is required.'],
    [{ url: 'ftp://shop.example' }, 'URL cannot be used.'],
    [{ url: `https://shop.example/${'x'.repeat(2048)}` }, 'at most 2048 characters'],
    [{ url: closedUrl, events: [] }, 'Events must have at least 1 entry.'],
    [{ url: closedUrl, events: ['nothing.else'] }, 'Event 1 must be one of *, booking.*'],
    [{ url: closedUrl, description: 'x'.repeat(201) }, 'at most 200 characters'],
  ])('refuses %o and keeps what was entered', async (values, message) => {
    const count = (await readWebhooks()).length;
    const page = await add(values);
    expect(page.status).toBe(422);
    expect(page.seen).toContain(message);
    expect(page.text).toContain(`value="${values.url}"`);
    expect(await readWebhooks()).toHaveLength(count);
  });

  it('is not for receptionists', async () => {
    const visitor = await signInVisitor(service.origin, 'rui@salon.example');
    for (const path of [listPath, `${listPath}/new`]) {
      expect((await visitor.open(path)).status).toBe(403);
    }
  });
});

describe('a webhook', () => {
  it('is listed with its last failure, and shows and resends failed deliveries', async () => {
    const id = await addOne();
    const path = `${listPath}/${id}`;
    await owner.press(await owner.open(path), 'Send test event');
    const page = await openUntil(path, 'Connection refused.');
    expect(page.seen).toContain('webhook.test');
    expect((await owner.open(`${path}?show=failed`)).seen).toContain('Connection refused.');
    expect((await owner.open(listPath)).seen).toContain('Connection refused.');
    const buttons = page.forms.flatMap((form) => form.buttons);
    const button = buttons.find((text) => text.startsWith('Redeliver webhook.test')) ?? '';
    expect((await owner.press(page, button)).seen).toContain('Sending the delivery again.');
    await openUntil(path, 'attempt 2');
    expect((await owner.press(page, 'Redeliver all failed')).seen).toContain(
      'There are no failed deliveries.',
    );
  });

  it('shows what the receiver answered, as text', async () => {
    const says = '<b>no such table</b> slk_4f9aB2c8d1E7';
    await using receiver = await openMisbehavingServer(() => replyWith(says, { status: 500 }));
    const id = await addOne(receiver.origin);
    await owner.press(await owner.open(`${listPath}/${id}`), 'Send test event');
    const page = await openUntil(`${listPath}/${id}`, 'HTTP 500');
    expect(page.text).toContain('<code><bdi>&lt;b&gt;no such table&lt;/b&gt; slk_…</bdi></code>');
    expect(page.seen).not.toContain('slk_4f9a');
  });

  it('is edited, and keeps events that the form does not offer', async () => {
    const id = await addOne();
    const url = `${service.origin}/v1/webhooks/${id}`;
    const body = { events: ['webhook.*'], active: false };
    await sendRequest(url, { method: 'PUT', key: service.keys.owner, body });
    const form = await owner.open(`${listPath}/${id}/edit`);
    const saved = await owner.press(form, 'Save', { url: `${closedUrl}/2`, active: 'on' });
    expect(saved.seen).toContain('Saved the webhook.');
    expect((await readWebhooks()).find((one) => one['id'] === id)).toMatchObject({
      ...{ url: `${closedUrl}/2`, events: ['webhook.*'], active: true, description: null },
    });
  });

  it('offers no test while it is disabled', async () => {
    const id = await addOne();
    const form = await owner.open(`${listPath}/${id}/edit`);
    await owner.press(form, 'Save', { active: [] });
    const page = await owner.open(`${listPath}/${id}`);
    expect(page.seen).toContain('Disabled');
    expect(page.forms.flatMap(({ buttons }) => buttons)).not.toContain('Send test event');
  });

  it('gets a new secret, and is deleted after a confirmation', async () => {
    const id = await addOne();
    const path = `${listPath}/${id}`;
    const rotated = await owner.press(await owner.open(`${path}/rotate`), 'Create new secret');
    expect(rotated.text).toMatch(/value="whsec_/);
    expect(rotated.seen).toContain('The old secret also signs events until');
    const deleted = await owner.press(await owner.open(`${path}/delete`), 'Delete webhook');
    expect(deleted.url).toBe(listPath);
    expect((await readWebhooks()).some((one) => one['id'] === id)).toBe(false);
    expect((await owner.open(path)).status).toBe(404);
  });

  it('of another account is not found', async () => {
    const { keys } = await service.addAccount();
    const made = await sendRequest(`${service.origin}/v1/webhooks`, {
      ...{ method: 'POST', key: keys.owner, body: { url: closedUrl } },
    });
    const { id } = JSON.parse(made.text);
    for (const path of [`${listPath}/${id}`, `${listPath}/${id}/edit`, `${listPath}/${id}/rotate`]) {
      expect((await owner.open(path)).status).toBe(404);
    }
  });
});
