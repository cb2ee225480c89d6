import { describe, expect, it } from 'vitest';
import { chooseRoute, readProxySettings } from '../../../src/client/http/proxy.ts';

const proxy = 'http://proxy.test:3128';

function route(origin: string, env: Readonly<Record<string, string>>) {
  return chooseRoute(origin, readProxySettings(env));
}

describe('the proxy of an origin', () => {
  it.each([
    ['https://salon.test', { HTTPS_PROXY: proxy }, 'the proxy http://proxy.test:3128 (HTTPS_PROXY)'],
    ['http://salon.test', { HTTP_PROXY: proxy }, 'the proxy http://proxy.test:3128 (HTTP_PROXY)'],
    ['https://salon.test', { ALL_PROXY: proxy }, 'the proxy http://proxy.test:3128 (ALL_PROXY)'],
    [
      'https://salon.test',
      { https_proxy: 'http://lower.test:1', HTTPS_PROXY: proxy },
      'the proxy http://lower.test:1 (https_proxy)',
    ],
    [
      'https://salon.test',
      { ALL_PROXY: 'http://all.test:1', HTTPS_PROXY: proxy },
      'the proxy http://proxy.test:3128 (HTTPS_PROXY)',
    ],
    [
      'https://salon.test',
      { HTTPS_PROXY: 'proxy.test:3128' },
      'the proxy http://proxy.test:3128 (HTTPS_PROXY)',
    ],
    [
      'https://salon.test',
      { HTTPS_PROXY: '', all_proxy: proxy },
      'the proxy http://proxy.test:3128 (all_proxy)',
    ],
    [
      'https://salon.test',
      { HTTPS_PROXY: 'http://ana:s3cret@proxy.test' },
      'the proxy http://proxy.test (HTTPS_PROXY)',
    ],
  ])('of %s with %j is %s', (origin, env, label) => {
    expect(route(origin, env).proxy?.label).toBe(label);
  });

  it.each([
    ['https://salon.test', { HTTP_PROXY: proxy }, 'no proxy is set'],
    ['http://salon.test', { HTTPS_PROXY: proxy }, 'no proxy is set'],
    ['http://127.0.0.1:8080', { ALL_PROXY: proxy }, 'loopback addresses never use a proxy'],
    ['http://127.8.9.1', { ALL_PROXY: proxy }, 'loopback addresses never use a proxy'],
    ['http://localhost:1', { ALL_PROXY: 'socks5://127.0.0.1:1' }, 'loopback addresses never use a proxy'],
    ['http://[::1]:1', { ALL_PROXY: proxy }, 'loopback addresses never use a proxy'],
  ])('is none for %s with %j, because %s', (origin, env, reason) => {
    expect(route(origin, env)).toEqual({ proxy: undefined, reason });
  });

  it.each([
    ['*', 'https://salon.test'],
    ['other.test, salon.test', 'https://salon.test'],
    ['salon.test', 'https://api.salon.test'],
    ['.salon.test', 'https://salon.test'],
    ['*.salon.test', 'https://api.salon.test'],
    ['SALON.test.', 'https://salon.test'],
    ['salon.test:443', 'https://salon.test'],
    ['salon.test:8443', 'https://salon.test:8443'],
    ['10.1.2.3', 'https://10.1.2.3'],
    ['10.0.0.0/8', 'https://10.1.2.3'],
    ['10.1.2.3:8443', 'https://10.1.2.3:8443'],
    ['fd00::/8', 'https://[fd12::1]'],
    ['[fd12::1]:443', 'https://[fd12::1]'],
  ])('is none where NO_PROXY %s contains %s', (noProxy, origin) => {
    const { proxy: chosen, reason } = route(origin, { HTTPS_PROXY: proxy, NO_PROXY: noProxy });
    expect({ chosen, reason }).toEqual({
      chosen: undefined,
      reason: expect.stringContaining('NO_PROXY contains'),
    });
  });

  it.each([
    ['salon.test', 'https://mysalon.test'],
    ['*.salon.test', 'https://salon.test'],
    ['salon.test:8443', 'https://salon.test'],
    ['10.0.0.0/8', 'https://11.1.2.3'],
    ['10.0.0.0/33', 'https://10.1.2.3'],
    ['10.0.0.0', 'https://10.0.0.1'],
    ['fd00::/8', 'https://[fe80::1]'],
    ['10.0.0.0/8', 'https://10.example.test'],
    [' , ', 'https://salon.test'],
  ])('is used although NO_PROXY is "%s" for %s', (noProxy, origin) => {
    expect(route(origin, { HTTPS_PROXY: proxy, NO_PROXY: noProxy }).proxy).toBeDefined();
  });

  it('gets the decoded user name and password', () => {
    const address = 'http://ana%40salon:p%40ss%25%C3%A9@proxy.test:3128';
    const expected = Buffer.from('ana@salon:p@ss%é').toString('base64');
    expect(route('https://salon.test', { HTTPS_PROXY: address }).proxy?.authorization).toBe(
      `Basic ${expected}`,
    );
  });

  it.each([
    ['socks5://proxy.test:1080', 'ALL_PROXY is a SOCKS proxy; only HTTP proxies are supported.'],
    ['ftp://proxy.test', 'ALL_PROXY is "ftp://"; only HTTP proxies are supported.'],
    ['http://ana:pa#s3cret@proxy.test:1', 'ALL_PROXY is not the address of a proxy.'],
    [
      'http://ana:100%s3cret@proxy.test:1',
      'The user name or password in ALL_PROXY is not percent-encoded correctly.',
    ],
  ])('is refused for %s without quoting a password', (address, message) => {
    expect(() => route('https://salon.test', { ALL_PROXY: address })).toThrow(
      expect.objectContaining({ code: 'usage', message }),
    );
  });
});
