import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { parseServiceConfig } from '../../src/service/config.ts';
import { openService } from '../../src/service/service.ts';
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

it('a service that starts without the key of its secrets says so in its log', async () => {
  await using service = await openTestService();
  const request = { method: 'POST', key: service.keys.owner, body: { url: 'http://127.0.0.1:9/' } };
  await sendRequest(`${service.origin}/v1/webhooks`, request);
  await service.close();
  const logged: string[] = [];
  const open = () =>
    openService(parseServiceConfig({ database: service.database, port: '0' }), {
      now: () => new Date(),
      random: (size) => randomBytes(size),
      log: { write: (line: string) => logged.push(line) },
    });
  await (await open()).close();
  expect(logged.join()).not.toContain('cannot be read');
  rmSync(`${service.database.slice('sqlite:'.length)}.key`);
  await (await open()).close();
  expect(logged.join()).toContain('secrets cannot be read without their key');
});
