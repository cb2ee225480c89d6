import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWebhookSecret, signWebhook } from '../../../src/webhooks/signature.ts';
import { createMachine, type Machine } from '../../support/io.ts';
import { startListener } from '../../support/listener.ts';
import {
  bodyOf,
  signedAt as now,
  post,
  webhookSecret as secret,
  send,
  sign,
} from '../../support/signed-webhook.ts';

let machine: Machine;
beforeEach(() => {
  machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' }, now });
  writeFileSync(`${machine.home}/secret`, secret);
});
afterEach(() => machine[Symbol.dispose]());

function listen(flags = '', world = {}) {
  return startListener(machine, `--secret-file secret ${flags}`, world);
}

describe('a delivery that fails verification', () => {
  const body = bodyOf('evt_1');
  const packed = new Uint8Array(gzipSync(body));
  const other = createWebhookSecret(() => Buffer.alloc(32, 'other'));
  it.each([
    [
      'forged',
      body,
      signWebhook({ id: 'evt_1', timestamp: now, body }, other),
      400,
      'The signature does not match',
    ],
    ['late', body, sign('evt_1', body, new Date(now.getTime() - 301_000)), 400, 'too old'],
    ['early', body, sign('evt_1', body, new Date(now.getTime() + 301_000)), 400, 'too new'],
    [
      'written anew',
      JSON.stringify(JSON.parse(body)),
      sign('evt_1', body),
      400,
      'The signature does not match',
    ],
    [
      'of another event',
      body,
      { ...sign('evt_1', body), 'webhook-id': 'evt_2' },
      400,
      'The signature does not match',
    ],
    ['unsigned', body, {}, 400, 'No signature header found'],
    ['no event', '[]', sign('evt_1', '[]'), 400, 'contains no event'],
    ['no JSON', 'text', sign('evt_1', 'text'), 400, 'is not JSON'],
    ['empty', '', sign('evt_1', ''), 400, 'is not JSON'],
    [
      'packed',
      packed,
      { ...sign('evt_1', packed), 'content-encoding': 'gzip' },
      415,
      'Unsupported Content-Encoding: gzip',
    ],
    ['too large', 'x'.repeat(2 * 1_048_576), sign('evt_1', body), 413, '2097152 bytes'],
  ])('is refused with the reason and not printed: %s', async (_, sent, headers, status, reason) => {
    const listener = await listen();
    const answer = await post(listener.url, sent, headers);
    expect(answer.status).toBe(status);
    await listener.until(({ stderr }) => stderr.includes('Refused'));
    const ran = await listener.stop();
    expect(ran).toMatchObject({ stdout: '', stderr: expect.stringContaining(reason) });
    expect(ran.stderr).not.toContain(secret);
    expect(ran.stderr).not.toContain('Färben');
  });

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])('rejects the method %s', async (method) => {
    await using listener = await listen();
    const answer = await fetch(listener.url, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('accepts a request without Content-Length', async () => {
    await using listener = await listen();
    const pieces = [body.slice(0, 20), body.slice(20)].map((text) => new TextEncoder().encode(text));
    const answer = await fetch(listener.url, {
      method: 'POST',
      headers: sign('evt_1', body),
      body: ReadableStream.from(pieces),
      duplex: 'half',
    });
    expect(answer.status).toBe(200);
    await listener.until(({ count }) => count === 1);
  });

  it('warns when the sender disconnects early', async () => {
    await using listener = await listen();
    const { hostname, port } = new URL(listener.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf');
    socket.destroySoon();
    await listener.until(({ stderr }) => stderr.includes('Incomplete request'));
    expect((await send(listener.url, 'evt_2')).status).toBe(200);
  });
});

describe('invalid use', () => {
  it.each([
    ['--forward-to localhost:3000', '--forward-to needs an http or https URL'],
    ['--events bookings.*', 'Did you mean booking.*?'],
    ['--port 70000', '--port must be a number from 0 to 65535'],
    ['--host 192.0.2.1', 'port 0 of 192.0.2.1: this machine does not have that address.'],
    ['--keep till', '--keep needs a registered endpoint'],
    ['-f csv', 'cannot be printed as CSV'],
  ])('exits 2: %s', async (flags, message) => {
    const ran = await machine.salon(['webhooks', 'listen', '--secret-file', 'secret', ...flags.split(' ')]);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('exits 2 if the port is in use', async () => {
    await using listener = await listen();
    const { port } = new URL(listener.url);
    const ran = await machine.salon(['webhooks', 'listen', '--secret-file', 'secret', '--port', port]);
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('the port is in use.') });
  });

  it('refuses to record into a pipe', async () => {
    execFileSync('mkfifo', [join(machine.home, 'pipe')]);
    const ran = await machine.salon('webhooks listen --secret-file secret --record pipe'.split(' '));
    expect(ran.stderr).toContain('is a pipe; --record needs a file.');
    expect(ran.exitCode).not.toBe(0);
  });

  it('exits 5 if the recording is a symlink loop', async () => {
    symlinkSync('circle', join(machine.home, 'circle'));
    const ran = await machine.salon('webhooks listen --secret-file secret --record circle'.split(' '));
    expect(ran).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining('its symbolic links form a loop'),
    });
  });

  it('exits 2 without a salon or a secret', async () => {
    const ran = await machine.salon(['webhooks', 'listen']);
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Not connected to a salon') });
  });
});
