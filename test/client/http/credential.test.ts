import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { toAuthorization } from '../../../src/client/http/credential.ts';
import { isUnencrypted, parseBaseUrl } from '../../../src/client/http/request-path.ts';

const token = 'slk_secret';

describe('a credential', () => {
  it('becomes the Authorization header of its origin in any spelling', () => {
    const credential = { kind: 'bearer', token, origin: 'https://salon.example.com:443/api/v1' } as const;
    expect(toAuthorization(credential, 'https://salon.example.com')).toBe('Bearer slk_secret');
  });

  it.each([
    ['host', 'https://other.example.com'],
    ['scheme', 'http://salon.example.com'],
    ['port', 'https://salon.example.com:8443'],
    ['host that only begins alike', 'https://salon.example.com.evil.example'],
  ])('is not sent to another %s', (_part, baseUrl) => {
    const credential = { kind: 'bearer', token, origin: 'https://salon.example.com' } as const;
    const create = () => createClient({ baseUrl, credential });
    expect(create).toThrow(expect.objectContaining({ code: 'not_signed_in' }));
    expect(create).toThrow(`The saved API key belongs to https://salon.example.com, not to ${baseUrl}.`);
  });

  it.each(['', 'slk_\r\nx-admin: 1', 'slk\u0000', 'slk_a b', 'ключ'])(
    'is rejected if it is invalid in a header: %j',
    (wrong) => {
      const create = () =>
        createClient({ baseUrl: 'https://x.example', credential: { kind: 'bearer', token: wrong } });
      expect(create).toThrow(expect.objectContaining({ code: 'usage' }));
    },
  );

  it.each([
    ['http://salon.example.com', true],
    ['http://127.0.0.1:3000', false],
    ['http://[::1]:3000', false],
    ['http://localhost:3000', false],
    ['http://127.evil.example', true],
    ['https://salon.example.com', false],
  ])('sent to %s is unencrypted: %s', (origin, exposed) => {
    expect(isUnencrypted(origin)).toBe(exposed);
  });
});

describe('a base URL', () => {
  const origin = 'https://x.example';
  it.each([
    ['https://x.example', { origin, root: '', prefix: undefined }],
    ['https://X.example:443/', { origin, root: '', prefix: undefined }],
    ['https://x.example/api/v1', { origin, root: '', prefix: '/api/v1' }],
    ['https://x.example/api/v1/', { origin, root: '', prefix: '/api/v1' }],
    ['https://x.example/v1', { origin, root: '', prefix: '/v1' }],
    ['https://x.example/salon', { origin, root: '/salon', prefix: undefined }],
    ['https://x.example/salon/v1//', { origin, root: '/salon', prefix: '/v1' }],
  ])('is parsed: %s', (text, address) => {
    expect(parseBaseUrl(text)).toEqual(address);
  });

  it.each([
    'salon.example.com',
    '',
    'ftp://x.example',
    'file:///etc/passwd',
    'https://user:secret@x.example',
    'https://x.example/?a=1',
    'https://x.example/?',
    'https://x.example/#top',
  ])('is rejected without repeating a password: %j', (text) => {
    const parse = () => parseBaseUrl(text);
    expect(parse).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(parse).not.toThrow('secret');
  });
});
