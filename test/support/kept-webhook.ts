import { writeFileSync } from 'node:fs';
import { createWebhookSecret, signWebhook } from '../../src/webhooks/signature.ts';

/** Writes a webhook signed at this time into a folder, as the files `headers`, `body` and `secret`. */
export function keepWebhook(folder: string, timestamp: Date): void {
  const secret = createWebhookSecret(() => Buffer.alloc(32, 'salon'));
  const body = '{"id":"evt_1","type":"client.deleted","data":{"object":{"id":"cli_1","deleted":true}}}';
  const headers = signWebhook({ id: 'evt_1', timestamp, body }, secret);
  const files = { secret, body, headers: JSON.stringify(headers) };
  for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text);
}
