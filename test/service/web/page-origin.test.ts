import { afterEach, describe, expect, it } from 'vitest';
import { sendRequest } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService | undefined;
afterEach(async () => {
  await service?.[Symbol.asyncDispose]();
  service = undefined;
});

/** Opens a page under a host name; `<port>` stands for the port that the service listens on. */
async function open(publicUrl: string | undefined, host: string, headers: Record<string, string> = {}) {
  const config = publicUrl === undefined ? {} : { publicUrl };
  service ??= await openTestService({ config });
  const { port } = new URL(service.origin);
  const to = (text: string) => text.replace('<port>', port);
  const response = await sendRequest(`${service.origin}/sign-in?a=1`, {
    headers: { host: to(host), accept: 'text/html', ...headers },
  });
  return { ...response, location: response.headers['location']?.replace(port, '<port>') };
}

describe('a service of this machine', () => {
  it('serves pages at localhost', async () => {
    const { status, headers } = await open(undefined, 'localhost:<port>');
    expect(status).toBe(200);
    expect(headers['strict-transport-security']).toBeUndefined();
  });

  it.each(['127.0.0.1:<port>', '[::1]:<port>'])('leads from %s to localhost', async (host) => {
    const { status, location } = await open(undefined, host);
    expect([status, location]).toEqual([308, 'http://localhost:<port>/sign-in?a=1']);
  });

  it.each(['evil.example', 'localhost.evil.example', '192.0.2.1:<port>', '169.254.1.1'])(
    'refuses to be called %s, and says why',
    async (host) => {
      const { status, text } = await open(undefined, host);
      expect(status).toBe(403);
      expect(text).toContain('Signing in needs HTTPS');
      expect(text).not.toContain('type="password"');
    },
  );
});

describe('a service with a public URL', () => {
  const url = 'https://salon.example';

  it('serves pages there, and has browsers use HTTPS from then on', async () => {
    const { status, headers } = await open(url, 'salon.example');
    expect(status).toBe(200);
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect(headers['set-cookie']).toMatch(
      /^__Host-salon-form=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it.each([
    '127.0.0.1:<port>',
    'localhost:<port>',
    'other.example',
    'salon.example:8080',
    'salon.example.evil.example',
  ])('refuses %s with a link to the right address', async (host) => {
    const { status, text } = await open(url, host);
    expect(status).toBe(403);
    expect(text).toContain('href="https://salon.example/sign-in?a=1"');
    expect(text).not.toContain('type="password"');
  });

  it('refuses plain HTTP that a proxy tells of', async () => {
    const { status, text } = await open(url, 'salon.example', { 'x-forwarded-proto': 'http' });
    expect(status).toBe(403);
    expect(text).toContain('plain HTTP');
  });

  it('refuses sign-in if its public URL is plain HTTP', async () => {
    const { status, text } = await open('http://salon.example', 'salon.example');
    expect(status).toBe(403);
    expect(text).toContain('the public URL of this service is http://salon.example');
  });

  it('may be localhost', async () => {
    const { status, location } = await open('http://127.0.0.1:8080', '127.0.0.1:8080');
    expect([status, location]).toEqual([308, 'http://localhost:8080/sign-in?a=1']);
    expect((await open('http://127.0.0.1:8080', 'localhost:8080')).status).toBe(200);
  });
});
