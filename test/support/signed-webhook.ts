import { createWebhookSecret, signWebhook } from '../../src/webhooks/signature.ts';

export const webhookSecret = createWebhookSecret(() => Buffer.alloc(32, 'salon'));

/** The default time of signing. */
export const signedAt = new Date('2026-11-21T12:00:00Z');

/** A body that changes when it is parsed and re-serialized. */
export function bodyOf(id: string, type = 'booking.cancelled'): string {
  const object = { id: 'apt_1', service: 'Färben', start_time: '2026-11-28T09:00:00Z' };
  return `{"id":"${id}", "type":"${type}", "data":${JSON.stringify({ resource: 'appointment', object })}}`;
}

export function sign(id: string, body: string | Uint8Array, timestamp = signedAt): Record<string, string> {
  return signWebhook({ id, timestamp, body }, webhookSecret);
}

export function post(url: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) {
  return fetch(url, { method: 'POST', body, headers });
}

export function send(url: string, id: string, type?: string) {
  const body = bodyOf(id, type);
  return post(url, body, sign(id, body));
}
