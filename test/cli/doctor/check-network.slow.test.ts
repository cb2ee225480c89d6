import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Authority, createAuthority, type IssueOptions } from '../../support/certificates.ts';
import { openConnectProxy } from '../../support/connect-proxy.ts';
import { diagnose } from '../../support/diagnose.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { openTlsServer } from '../../support/tls-server.ts';

let authority: Authority;
let service: TestService;
beforeAll(async () => {
  authority = createAuthority();
  service = await openTestService();
});
afterAll(async () => {
  authority[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

const key = { SALON_API_KEY: 'slk_test' };

describe('the doctor on the way to a server', () => {
  it.each([
    ['dns', 'https://salon.invalid', {}, 5, 'salon.invalid was not found'],
    ['tcp', 'https://127.0.0.1:1', {}, 5, 'the connection was refused'],
    ['tcp', 'https://salon.test', { HTTPS_PROXY: '127.0.0.1:1' }, 5, 'the connection was refused'],
    ['proxy', 'https://salon.test', { ALL_PROXY: 'socks5://127.0.0.1:1' }, 2, 'ALL_PROXY is a SOCKS proxy'],
    ['network', 'ftp://salon.test', {}, 2, 'does not start with https:// or http://'],
  ])('names a problem of %s with %s', async (check, baseUrl, proxies, code, message) => {
    const { exitCode, checks, find } = await diagnose({
      env: { ...key, ...proxies, SALON_BASE_URL: baseUrl },
    });
    expect({ exitCode, found: find(check) }).toMatchObject({
      exitCode: code,
      found: { status: 'problem', message: expect.stringContaining(message), hint: expect.any(String) },
    });
    const later = checks.slice(checks.findIndex((found) => found.check === check) + 1);
    expect(new Set(later.map(({ status }) => status))).toEqual(new Set(['skipped']));
  });

  it('looks through a proxy at the certificate', async () => {
    await using server = await openTlsServer(authority.issue('salon.test', { names: ['DNS:salon.test'] }));
    await using proxy = await openConnectProxy({ hosts: { 'salon.test:443': server.port } });
    const env = {
      SALON_BASE_URL: 'https://salon.test',
      https_proxy: proxy.origin,
      SALON_CA_FILE: authority.file,
    };
    const { exitCode, find } = await diagnose({ env: { ...key, ...env } });
    expect(exitCode).toBe(0);
    expect(find('proxy')?.message).toBe(`Uses the proxy ${proxy.origin} (https_proxy)`);
    expect(find('dns')?.message).toBe('Not checked: 127.0.0.1 is an address; the proxy looks up salon.test');
    expect(find('tls')?.details).toMatchObject({
      issuer: 'Salon Test CA',
      subject: 'salon.test',
      days_left: 29,
    });
  });

  it('names the proxy where it refuses', async () => {
    await using proxy = await openConnectProxy({ refusal: 'HTTP/1.1 403 Forbidden\r\n\r\n' });
    const env = { ...key, SALON_BASE_URL: 'https://salon.test', HTTPS_PROXY: proxy.origin };
    const { exitCode, find } = await diagnose({ env });
    expect({ exitCode, tls: find('tls')?.message }).toEqual({
      exitCode: 1,
      tls: `The proxy ${proxy.origin} (HTTPS_PROXY) did not connect to salon.test:443: 403 Forbidden.`,
    });
  });

  it.each<[string, IssueOptions, string, number, RegExp]>([
    ['has expired', { names: ['IP:127.0.0.1'], fromDays: -9, toDays: -2 }, 'problem', 1, /has expired\.$/],
    ['is for another host', { names: ['DNS:other.test'] }, 'problem', 1, /is for other\.test\.$/],
    [
      'expires soon',
      { names: ['IP:127.0.0.1'], toDays: 12 },
      'warning',
      0,
      /expires in 11 days, issued by Salon Test CA/,
    ],
  ])('says that the certificate %s', async (what, options, status, code, message) => {
    await using server = await openTlsServer(authority.issue(what.replaceAll(' ', '-'), options));
    const env = { ...key, SALON_BASE_URL: server.origin, SALON_CA_FILE: authority.file };
    const { exitCode, find } = await diagnose({ env });
    expect({ exitCode, status: find('tls')?.status }).toEqual({ exitCode: code, status });
    expect(find('tls')?.message).toMatch(message);
    expect(find('tls')?.hint).toEqual(expect.any(String));
    expect(find('tls')?.details).toMatchObject({ issuer: 'Salon Test CA', expires_at: expect.any(String) });
  });

  it('says that the authority is unknown', async () => {
    await using server = await openTlsServer(authority.issue('unknown', { names: ['IP:127.0.0.1'] }));
    const { exitCode, find } = await diagnose({ env: { ...key, SALON_BASE_URL: server.origin } });
    expect({ exitCode, tls: find('tls') }).toMatchObject({
      exitCode: 1,
      tls: { message: expect.stringContaining('is not trusted'), hint: expect.stringContaining('--ca-file') },
    });
  });

  it('says that the port does not speak TLS', async () => {
    const env = { ...key, SALON_BASE_URL: service.origin.replace('http:', 'https:') };
    const { exitCode, find } = await diagnose({ env });
    expect({ exitCode, tls: find('tls')?.message }).toEqual({
      exitCode: 1,
      tls: expect.stringContaining('does not speak TLS'),
    });
  });
});
