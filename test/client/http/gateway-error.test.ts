import { describe, expect, it } from 'vitest';
import { decodeError } from '../../../src/client/http/decode-error.ts';

function decode(status: number, content: string, headers: Record<string, string> = {}) {
  return decodeError({ status, headers, bytes: Buffer.from(content) }, 0);
}

const nginx = (title: string) =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>`;
const haproxy = (title: string) => `<html><body><h1>${title}</h1>\nRequest forbidden.\n</body></html>\n`;

describe('status 511', () => {
  it.each(['<html><title>Welcome to our Wi-Fi</title></html>', '', 'Sign in'])(
    'is of the network: %s',
    (page) => {
      expect(decode(511, page)).toMatchObject({
        code: 'connection_failed',
        message: 'The network requires a sign-in first (511).',
        hint: expect.stringContaining('sign in to the network'),
        retryable: false,
      });
    },
  );
});

describe('an error page of a gateway', () => {
  it.each([
    [
      413,
      nginx('413 Request Entity Too Large'),
      { server: 'nginx/1.22.1' },
      'A gateway (nginx) in front of the service refused the request, because it is too large (413, an HTML page titled "413 Request Entity Too Large").',
    ],
    [
      405,
      nginx('405 Not Allowed'),
      {},
      'A gateway (nginx) in front of the service refused the method (405, an HTML page titled "405 Not Allowed").',
    ],
    [
      403,
      '<!DOCTYPE html><html><head><title>Attention Required! | Cloudflare</title></head></html>',
      { server: 'cloudflare', 'cf-ray': '8a-MAD' },
      'A gateway (cloudflare) in front of the service refused the request (403, an HTML page titled "Attention Required! | Cloudflare").',
    ],
    [
      403,
      haproxy('403 Forbidden'),
      {},
      'A gateway (HAProxy) in front of the service refused the request (403, an HTML page).',
    ],
    [502, '', {}, 'A gateway in front of the service got no valid response from it (502).'],
    [
      504,
      nginx('504 Gateway Time-out'),
      {},
      'A gateway (nginx) in front of the service got no response from it in time (504, an HTML page titled "504 Gateway Time-out").',
    ],
    [
      401,
      nginx('401 Authorization Required'),
      { server: 'nginx', 'www-authenticate': 'Basic realm="Staging"' },
      'A gateway (nginx) in front of the service requires a sign-in of its own (401, an HTML page titled "401 Authorization Required").',
    ],
  ])('is named as such: %i', (status, content, headers, message) => {
    const error = decode(status, content, headers);
    expect(error.message).toBe(message);
    expect(error.hint).not.toMatch(/key|role|ID/);
  });

  it.each([
    ['JSON', 403, '{"message":"No."}', { server: 'nginx' }],
    ['a page of the service', 403, '<html><title>No</title></html>', { server: 'Werkzeug/2.0' }],
    ['a page without a name', 403, '<html><title>No</title></html>', {}],
    ['a page that was not found', 404, nginx('404 Not Found'), { server: 'nginx' }],
    ['a text', 403, 'No.', { server: 'nginx' }],
  ])('is told from %s', (_what, status, content, headers) => {
    expect(decode(status, content, headers).message).not.toContain('gateway');
  });

  it('does not lead to advice about IDs if it was not found', () => {
    expect(decode(404, nginx('404 Not Found')).hint).toBe(
      'Check the base URL: the server has no API at this path.',
    );
  });
});

describe('a refused key', () => {
  it('comes with the reason and the scope of WWW-Authenticate', () => {
    const challenge =
      'Bearer realm="salon", error="insufficient_scope", error_description="The token is \\"read\\" only.", scope="clients:write"';
    expect(decode(403, '{"message":"Forbidden"}', { 'www-authenticate': challenge })).toMatchObject({
      code: 'insufficient_scope',
      message: 'Forbidden. The token is "read" only.',
      hint: 'Use a key with the scope clients:write.',
      members: { scope: 'clients:write' },
    });
  });

  it('shows the reason once, if the body has it too', () => {
    const headers = { 'www-authenticate': 'Bearer error=invalid_token, error_description="It has expired."' };
    expect(decode(401, '{"detail":"It has expired."}', headers)).toMatchObject({
      code: 'invalid_token',
      message: 'It has expired.',
    });
  });
});

describe('the ID of a request', () => {
  it.each([
    'x-request-id',
    'request-id',
    'x-correlation-id',
    'x-amzn-requestid',
    'x-ms-request-id',
    'x-trace-id',
    'cf-ray',
    'traceparent',
  ])('is read from %s', (name) => {
    expect(decode(500, '', { [name]: 'abc' }).requestId).toBe('abc');
  });

  it('is asked for only where there is one', () => {
    expect(decode(500, '', { 'x-request-id': 'abc' }).hint).toContain('request ID');
    expect(decode(500, '').hint).not.toContain('request ID');
  });
});
