import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  abbreviateKey,
  createMask,
  maskSecrets,
  maskValue,
  readSecrets,
} from '../../src/text/mask-secrets.ts';

const key = 'slk_0123456789abcdefghijABCDEFGHIJ012345';

describe('what looks like a secret', () => {
  it.each([
    ['an API key', `The key ${key} is revoked.`, 'The key slk_… is revoked.'],
    ['a sandbox key', 'slk_test_0123456789abcdef!', 'slk_test_…!'],
    ['a webhook secret', '"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"', '"whsec_…"'],
    ['a JSON Web Token', 'got eyJhbGciOiJIUzI1.eyJzdWIiOiIx.SflKxw-_ here', 'got eyJ… here'],
    ['a query parameter', 'https://a.example/c?api_key=abc&page=2', 'https://a.example/c?api_key=…&page=2'],
    ['another name for it', '/c?page=2&access_token=a.b-c', '/c?page=2&access_token=…'],
    ['a short name for it', '/c?key=abc#x and /d?token=1', '/c?key=…#x and /d?token=…'],
    ['a password in a URL', 'http://ana:pa:ss@proxy:3128/', 'http://…@proxy:3128/'],
    ['a key as the user of a URL', 'https://k3y@a.example', 'https://…@a.example'],
    ['a header', 'Authorization: Bearer abc123 is bad', 'Authorization: Bearer … is bad'],
    ['a header in JSON', '{"authorization":"Basic YTpi1"}', '{"authorization":"Basic …"}'],
    ['a header of another kind', 'X-Api-Key: 12ab, try again', 'X-Api-Key: …, try again'],
    ['cookies', 'Cookie: a=b; c=d\nnext', 'Cookie: …\nnext'],
    ['a token after its scheme', 'invalid bearer abcdef0123', 'invalid bearer …'],
    ['a quoted member', '{"password":"hunter"}', '{"password":"…"}'],
  ])('is masked: %s', (_what, text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
    expect(maskSecrets(masked)).toBe(masked);
  });

  it.each([
    'Bearer authentication required',
    'The Authorization header is missing.',
    'authorization: required',
    'password: must be longer',
    'The API key is invalid.',
    'api_key is missing',
    'https://a.example/clients?page=2&q=a@b.example',
    'ana@b.example, slk_ and whsec_',
  ])('is told from ordinary text: %s', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });
});

describe('a known secret', () => {
  it('is masked wherever it is, whatever its form', () => {
    const mask = createMask(readSecrets({ authorization: 'Bearer MTIz+NDU2/Nzg5OjEyMzQ=', accept: 'text' }));
    expect(mask('MTIz+NDU2/Nzg5OjEyMzQ= text MTIz%2BNDU2%2FNzg5OjEyMzQ%3D')).toBe('… text …');
  });

  it('is masked where only its start is shown', () => {
    expect(createMask(['opaque-key-of-a-server'])('Unknown key opaque-key-…')).toBe('Unknown key ……');
  });

  it('does not hide words that a short secret starts with', () => {
    expect(createMask(['password1', 'a'])('a password')).toBe('a password');
  });

  it('never remains in a text', () => {
    const text = fc.string({ minLength: 0, maxLength: 20 });
    const secret = fc.string({ unit: 'grapheme-ascii', minLength: 6, maxLength: 40 });
    fc.assert(
      fc.property(text, secret, text, (before, hidden, after) => {
        fc.pre(!hidden.includes('…'));
        expect(createMask([hidden])(`${before}${hidden}${after}`)).not.toContain(hidden);
      }),
    );
  });
});

describe('a JSON value', () => {
  it('keeps its shape when its texts are masked', () => {
    const value = { list: [key, 1, null], inner: { ok: true, text: 'plain' } };
    expect(maskValue(value, maskSecrets)).toEqual({
      list: ['slk_…', 1, null],
      inner: { ok: true, text: 'plain' },
    });
  });
});

describe('an abbreviated key', () => {
  it('shows its ends if it is long', () => {
    expect(abbreviateKey(key)).toBe('slk_01…45');
    expect(abbreviateKey('short')).toBe('…');
  });
});
