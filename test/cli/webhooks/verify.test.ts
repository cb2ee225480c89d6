import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWebhookSecret, signWebhook } from '../../../src/webhooks/signature.ts';
import { createMachine, type Machine, type RunOptions } from '../../support/io.ts';

const secret = createWebhookSecret(() => Buffer.alloc(32, 'salon'));
const formerSecret = createWebhookSecret(() => Buffer.alloc(32, 'former'));
const now = new Date('2026-11-21T12:00:00Z');
const body =
  '{"id":"evt_1", "type":"booking.cancelled", "data":{"object":{"id":"apt_1","service":"Färben"}}}';
const headers = signWebhook({ id: 'evt_1', timestamp: now, body }, secret);

let machine: Machine;
beforeEach(() => {
  machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' }, now });
  save('body', body);
  save('headers', JSON.stringify(headers));
  save('secret', `${formerSecret}\n${secret}\n`);
});
afterEach(() => machine[Symbol.dispose]());

function save(name: string, content: string | Uint8Array): void {
  writeFileSync(`${machine.home}/${name}`, content);
}

function verify(flags = '', world: RunOptions = {}) {
  const given = `webhooks verify --headers headers --body body --secret-file secret ${flags}`;
  return machine.salon(given.trim().split(' '), world);
}

describe('salon webhooks verify', () => {
  it('prints the event and the signature scheme', async () => {
    const ran = await verify('--json');
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toEqual({
      scheme: 'standard',
      id: 'evt_1',
      type: 'booking.cancelled',
      signed_at: '2026-11-21T12:00:00Z',
      event: JSON.parse(body),
    });
  });

  it('shows fields with local time on a terminal', async () => {
    const { stdout } = await verify('--no-color', { columns: 80, timeZone: 'Europe/Berlin' });
    expect(stdout).toMatch(/^Scheme +standard$/m);
    expect(stdout).toMatch(/^Signed at +2026-11-21 13:00 \(Europe\/Berlin\)$/m);
    expect(stdout).toMatch(/^event\.data\.object\.service +Färben$/m);
  });

  it('reads the secret from the environment, headers or body from standard input', async () => {
    const world = { env: { SALON_WEBHOOK_SECRET: secret } };
    const lines = Object.entries(headers).map(([name, value]) => `${name.toUpperCase()}: ${value}\r\n`);
    const byHeaders = await machine.salon(['webhooks', 'verify', '--headers', '-', '--body', 'body'], {
      ...world,
      stdin: `POST /hook HTTP/1.1\r\n${lines.join('')}`,
    });
    const byBody = await machine.salon(['webhooks', 'verify', '--headers', 'headers', '--body', '-'], {
      ...world,
      stdin: body,
    });
    expect([byHeaders, byBody]).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
  });

  it('warns if the scheme does not sign the time', async () => {
    save('headers', `x-signature: ${createHmac('sha256', 'key').update(body).digest('hex')}`);
    save('secret', 'key');
    const ran = await verify('--json');
    expect(JSON.parse(ran.stdout)).toMatchObject({ scheme: 'hmac', id: 'evt_1', signed_at: null });
    expect(ran.stderr).toContain('warning: The scheme "hmac" does not sign the time');
  });

  it('verifies a Square webhook by its URL', async () => {
    const url = 'https://shop.example/hook';
    const signature = createHmac('sha256', 'key')
      .update(url + body)
      .digest('base64');
    save('headers', `x-square-hmacsha256-signature: ${signature}`);
    save('secret', 'key');
    expect(await verify(`--url ${url}`)).toMatchObject({ exitCode: 0 });
    expect(await verify()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--url') });
  });
});

describe('an invalid webhook', () => {
  const later = (time: string): RunOptions => ({ now: new Date(time) });
  it.each([
    ['forged', () => save('secret', formerSecret), {}, 'no_signature_matches'],
    ['written anew', () => save('body', JSON.stringify(JSON.parse(body))), {}, 'no_signature_matches'],
    [
      'changed in one byte that is no text',
      () => save('body', Buffer.from(body, 'latin1')),
      {},
      'no_signature_matches',
    ],
    ['replayed', () => {}, later('2026-11-21T12:05:01Z'), 'too_old'],
    ['from the future', () => {}, later('2026-11-21T11:54:59Z'), 'too_new'],
    ['unsigned', () => save('headers', 'host: shop.example'), {}, 'missing_header'],
  ])('exits 1 with the reason and prints nothing: %s', async (_, change, world, reason) => {
    change();
    const ran = await verify('--json', world);
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(JSON.parse(ran.stderr)).toMatchObject({ code: 'webhook_refused', reason, retryable: false });
  });

  it('uses --at in the profile’s time zone', async () => {
    const world = { now: new Date('2026-11-23T08:00:00Z'), timeZone: 'Europe/Berlin' };
    expect(await verify('', world)).toMatchObject({ exitCode: 1 });
    expect(await verify('--at 2026-11-21T13:04', world)).toMatchObject({ exitCode: 0 });
    expect(await verify('--at 2026-11-21T12:00:00Z', world)).toMatchObject({ exitCode: 0 });
  });

  it('is checked only with the given scheme', async () => {
    expect(await verify('--scheme stripe')).toMatchObject({ exitCode: 1 });
  });

  it('suggests a line break added when saving', async () => {
    save('body', `${body}\n`);
    const { stderr, exitCode } = await verify();
    expect(exitCode).toBe(1);
    expect(stderr).toContain('ends with a line break: was it added when the file was saved?');
  });
});

describe('unreadable input', () => {
  it.each([
    ['no body', '--body nowhere', 'Cannot read --body nowhere: no such file.\n  Check the path'],
    ['no headers', '--headers nowhere', 'Cannot read --headers nowhere'],
    ['no secret', '--secret-file nowhere', 'Cannot read --secret-file nowhere'],
    ['a secret that is none', '--secret-file body', 'Invalid webhook secret.'],
    ['headers that are none', '--headers secret', 'Line 1 of --headers is not a header.'],
    ['one stream for two', '--headers - --body -', 'Only one of headers, body and secret'],
    ['one stream for the secret too', '--body - --secret-file -', 'Only one of headers, body and secret'],
    ['a time that is none', '--at later', '"later" is not a date or time.'],
    ['an unknown scheme', '--scheme svix', 'Allowed choices are standard, stripe, square, hmac'],
  ])('exits 2: %s', async (_, flags, message) => {
    const ran = await verify(flags);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(ran.stderr).not.toContain(secret);
  });

  it('exits 2 without a secret and names both ways to pass it', async () => {
    const ran = await machine.salon(['webhooks', 'verify', '--headers', 'headers', '--body', 'body']);
    expect(ran).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/--secret-file.*SALON_WEBHOOK_SECRET/),
    });
  });
});
