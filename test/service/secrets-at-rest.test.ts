import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { sendRequest, toJson } from '../support/send-request.ts';
import { openTestService } from '../support/service.ts';

it('no file of a database contains a secret that was shown once, nor the key of the secrets', async () => {
  await using service = await openTestService();
  let sent = 0;
  const post = async (path: string, body: object) => {
    const headers = { 'idempotency-key': `once-${sent++}` };
    const request = { method: 'POST', key: service.keys.owner, headers, body };
    return toJson(await sendRequest(`${service.origin}/v1${path}`, request));
  };
  const webhook = await post('/webhooks', { url: 'http://127.0.0.1:9/' });
  const rotated = await post(`/webhooks/${webhook['id']}/rotate-secret`, {});
  const key = await post('/api-keys', { name: 'Till', role: 'viewer' });
  const rolled = await post(`/api-keys/${key['id']}/roll`, {});
  const shown = [webhook['secret'], rotated['secret'], key['key'], rolled['key']].map(String);
  expect(shown.join(' ')).toMatch(/^whsec_\S+ whsec_\S+ slk_\S+ slk_\S+$/);

  const file = service.database.slice('sqlite:'.length);
  const sealing = readFileSync(`${file}.key`, 'utf8').trim().split('\n').at(-1) ?? '';
  expect(Buffer.from(sealing, 'base64')).toHaveLength(32);
  const names = readdirSync(dirname(file)).filter((name) => !name.endsWith('.key'));
  const files = names.map((name) => readFileSync(join(dirname(file), name)));
  for (const secret of [...shown, sealing, Buffer.from(sealing, 'base64')]) {
    expect(files.filter((content) => content.includes(secret))).toEqual([]);
  }
});
