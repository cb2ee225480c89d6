import { describe, expect, it } from 'vitest';
import { defineReleaseUrl, readReleaseUrl } from '../../packaging/release-url.ts';

describe('SALON_RELEASE_URL', () => {
  it.each([{}, { SALON_RELEASE_URL: '' }])('may be missing: %j', (env) => {
    expect(readReleaseUrl(env)).toBeUndefined();
    expect(defineReleaseUrl(env)).toEqual({});
  });

  it('loses the slash at its end', () => {
    const env = { SALON_RELEASE_URL: 'https://salon.example/releases/' };
    expect(readReleaseUrl(env)).toBe('https://salon.example/releases');
    expect(defineReleaseUrl(env)).toEqual({ buildReleaseUrl: '"https://salon.example/releases"' });
  });

  it.each([
    'http://salon.example',
    "https://salon.example/'x",
    'https://salon.example/$(x)',
    'https://salon.example/?a=b',
    'ftp://salon.example',
  ])('may not be %s', (url) => {
    expect(() => readReleaseUrl({ SALON_RELEASE_URL: url })).toThrow('has to be an https address');
  });
});
