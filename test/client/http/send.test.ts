import { once } from 'node:events';
import { createServer } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  body,
  bomb,
  drip,
  halfABody,
  hang,
  json,
  nothing,
  openMisbehavingServer,
  type Reply,
  raw,
  reset,
} from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

describe('an incomplete response', () => {
  const cases: [string, string, Reply][] = [
    ['a reset', 'response_truncated', reset],
    ['an end without a byte', 'response_truncated', nothing],
    ['half a body', 'response_truncated', halfABody],
    ['half a header', 'response_truncated', raw('HTTP/1.1 200 OK\r\ncontent-ty')],
    ['half a chunk', 'response_truncated', raw(`${head}transfer-encoding: chunked\r\n\r\n400\r\n{"a"`)],
    [
      'an incomplete object before a normal close',
      'response_truncated',
      raw(`${head}connection: close\r\n\r\n{"data": [{"id"`),
    ],
    [
      'half a gzip stream',
      'response_truncated',
      body(gzipSync('{"a": "bcdefghijklmnopq"}').subarray(0, 25), {
        headers: { 'content-encoding': 'gzip' },
      }),
    ],
    ['no response', 'timeout', hang],
    ['a response that never ends', 'timeout', drip],
  ];
  it.each(cases)('%s is %s', async (_title, code, reply) => {
    await using server = await openMisbehavingServer(() => reply);
    const timeoutMs = code === 'timeout' ? 150 : 30_000;
    await using client = openClient(server.origin, { retries: 0, timeoutMs });
    const error = await refusal(client.request('GET', 'clients'));
    expect(error).toMatchObject({ code, retryable: true });
  });
});

describe('a compressed response', () => {
  it.each([
    ['a line break', '\n'],
    ['line breaks of Windows', '\r\n\r\n'],
    ['zeros', '\0\0\0'],
    ['nothing', ''],
  ])('is read although %s follows it', async (_title, padding) => {
    const bytes = Buffer.concat([gzipSync('{"a": 1}'), Buffer.from(padding)]);
    const reply = body(bytes, { headers: { 'content-encoding': 'gzip' } });
    await using server = await openMisbehavingServer(() => reply);
    await using client = openClient(server.origin, { retries: 0 });
    expect((await client.request('GET', 'clients')).body).toEqual({ a: 1 });
    expect(server.received).toHaveLength(1);
  });
});

describe('an invalid response', () => {
  const cases: [string, string, Reply][] = [
    ['no HTTP', 'unexpected_response', raw('220 mail.example.com ESMTP\r\n')],
    ['status 0', 'unexpected_response', raw('HTTP/1.1 000 None\r\ncontent-length: 0\r\n\r\n')],
    ['a switch of protocols', 'unexpected_response', raw('HTTP/1.1 101 Switching Protocols\r\n\r\n')],
    [
      'headers of 200 KB',
      'unexpected_response',
      body('{}', { headers: { 'x-long': Array(40).fill('x'.repeat(5000)) } }),
    ],
    [
      'an encoding that was not accepted',
      'unexpected_response',
      body('{}', { headers: { 'content-encoding': 'zstd' } }),
    ],
    [
      'bytes that are not gzip',
      'unexpected_response',
      body('{"a": 1}', { headers: { 'content-encoding': 'gzip' } }),
    ],
  ];
  it.each(cases)('%s is %s and is not retried', async (_title, code, reply) => {
    await using server = await openMisbehavingServer(() => reply);
    await using client = openClient(server.origin);
    expect(await refusal(client.request('GET', 'clients'))).toMatchObject({ code, retryable: false });
    expect(server.received).toHaveLength(1);
  });
});

describe('a compressed response', () => {
  const content = JSON.stringify({ data: ['é', '日本'] });
  it.each([
    ['gzip', gzipSync(content)],
    ['GZIP', gzipSync(content)],
    ['x-gzip', gzipSync(content)],
    ['gzip', Buffer.concat([gzipSync(content.slice(0, 9)), gzipSync(content.slice(9))])],
    ['deflate', deflateSync(content)],
    ['deflate', deflateRawSync(content)],
    ['Deflate', deflateRawSync(content, { level: 0 })],
    ['br', brotliCompressSync(content)],
    ['identity', Buffer.from(content)],
    ['', Buffer.from(content)],
    ['gzip, identity', gzipSync(content)],
    ['Identity,gzip', gzipSync(content)],
    ['gzip, gzip', gzipSync(gzipSync(content))],
    ['deflate, br', brotliCompressSync(deflateRawSync(content))],
    [['br', 'gzip'], gzipSync(brotliCompressSync(content))],
  ])('with %s is decompressed (%#)', async (encoding, bytes) => {
    await using server = await openMisbehavingServer(() =>
      body(bytes, { headers: { 'content-encoding': encoding } }),
    );
    await using client = openClient(server.origin);
    expect((await client.request('GET', 'clients')).body).toEqual({ data: ['é', '日本'] });
  });

  it.each(['zstd', 'none', 'utf-8', 'aws-chunked', 'gzip, zstd', 'gzip, gzip, gzip, gzip'])(
    'with %s is refused by name, before anything is decompressed',
    async (encoding) => {
      await using server = await openMisbehavingServer(() =>
        body(gzipSync(content), { headers: { 'content-encoding': encoding } }),
      );
      await using client = openClient(server.origin);
      const { code, message } = await refusal(client.request('GET', 'clients'));
      expect([code, message]).toEqual([
        'unexpected_response',
        `The response has an unsupported content encoding: ${encoding}.`,
      ]);
    },
  );

  it('may be one to a HEAD, which has no body', async () => {
    await using server = await openMisbehavingServer(() =>
      body('', { headers: { 'content-encoding': 'gzip' } }),
    );
    await using client = openClient(server.origin);
    expect((await client.request('HEAD', 'clients')).status).toBe(200);
  });

  it('is asked for only in encodings that have one meaning', async () => {
    await using server = await openMisbehavingServer(() => json({}));
    await using client = openClient(server.origin);
    await client.request('GET', 'clients');
    expect(server.received[0]?.headers['accept-encoding']).toBe('gzip, br');
  });

  it('of ten gigabytes is rejected long before its end', async () => {
    await using server = await openMisbehavingServer(() => bomb);
    await using client = openClient(server.origin, { maxResponseBytes: 16 * 1_048_576 });
    const start = process.cpuUsage();
    expect((await refusal(client.request('GET', 'clients'))).code).toBe('response_too_large');
    // Minutes for all of it; the ten megabytes that are sent are less than the limit.
    expect(process.cpuUsage(start).user).toBeLessThan(30_000_000);
  });
});

describe('the size of a response', () => {
  it('is limited without compression too, and may equal the limit', async () => {
    await using server = await openMisbehavingServer(() => json('x'.repeat(998)));
    await using wide = openClient(server.origin, { maxResponseBytes: 1000 });
    await using narrow = openClient(server.origin, { maxResponseBytes: 999 });
    expect((await wide.request('GET', 'clients')).status).toBe(200);
    expect((await refusal(narrow.request('GET', 'clients'))).code).toBe('response_too_large');
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('%i is rejected, and the key is not sent elsewhere', async (status) => {
    await using other = await openMisbehavingServer(() => json({}));
    const location = `${other.origin}/api/v1/clients`;
    await using server = await openMisbehavingServer(() => body('', { status, headers: { location } }));
    await using client = openClient(server.origin);
    const error = await refusal(client.clients.get('cli_1'));
    expect(error.code).toBe('redirect_refused');
    expect(error.message).toContain(location);
    expect(other.received).toEqual([]);
  });
});

describe('a failed connection', () => {
  it('reports that it was refused', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as { port: number };
    closed.close();
    await once(closed, 'close');
    await using client = openClient(`http://127.0.0.1:${port}`);
    const error = await refusal(client.request('POST', 'clients', { body: {} }));
    expect(error).toMatchObject({ code: 'connection_failed', retryable: true });
    expect(client.clock.waits).toHaveLength(5);
  });

  it('reports that the host does not exist', async () => {
    await using client = openClient('http://nowhere.invalid', { retries: 0 });
    expect((await refusal(client.me())).code).toBe('connection_failed');
  });
});
