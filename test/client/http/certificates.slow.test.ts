import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Authority, createAuthority } from '../../support/certificates.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openTlsServer } from '../../support/tls-server.ts';

let authority: Authority;
beforeAll(() => {
  authority = createAuthority();
});
afterAll(() => authority[Symbol.dispose]());

describe('the certificate of a server', () => {
  const names = ['IP:127.0.0.1'];

  it.each([
    ['expired', () => authority.issue('expired', { names, fromDays: -3, toDays: -1 }), 'has expired.'],
    ['not_yet_valid', () => authority.issue('early', { names, fromDays: 1 }), 'is not valid yet.'],
    [
      'wrong_host',
      () => authority.issue('other', { names: ['DNS:a.example', 'DNS:b.example'] }),
      'is for a.example, b.example.',
    ],
  ])('is certificate_rejected once where it is %s', async (reason, issue, message) => {
    await using server = await openTlsServer(issue());
    await using client = openClient(server.origin, { tls: { ca: authority.pem } });
    expect(await refusal(client.me())).toMatchObject({
      code: 'certificate_rejected',
      message: `The certificate of ${server.origin} ${message}`,
      members: { reason },
      retryable: false,
    });
    expect(client.events.filter(({ type }) => type === 'request')).toHaveLength(1);
  });

  it('is certificate_rejected where its authority is unknown', async () => {
    await using server = await openTlsServer(authority.issue('unknown', { names }));
    await using client = openClient(server.origin);
    expect(await refusal(client.me())).toMatchObject({
      code: 'certificate_rejected',
      members: { reason: 'unknown_issuer' },
    });
  });

  it('is certificate_rejected where it is self-signed', async () => {
    const ca = { cert: authority.file, key: authority.file.replace('.pem', '.key') };
    await using server = await openTlsServer(ca);
    await using client = openClient(server.origin);
    expect(await refusal(client.me())).toMatchObject({
      code: 'certificate_rejected',
      message: `The certificate of ${server.origin} is not trusted: its issuer is unknown.`,
    });
  });

  it('is no help where the server speaks only HTTP/2', async () => {
    const { cert, key } = authority.issue('h2', { names });
    const server = createSecureServer({ cert: readFileSync(cert), key: readFileSync(key) }).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await using client = openClient(origin, { tls: { ca: authority.pem } });
    const error = await refusal(client.me());
    server.close();
    expect(error).toMatchObject({ code: 'unexpected_response', message: `${origin} speaks only HTTP/2.` });
  });

  it('is asked for on a port without TLS', async () => {
    await using server = await openMisbehavingServer(() => json({}));
    await using client = openClient(server.origin.replace('http:', 'https:'));
    expect(await refusal(client.me())).toMatchObject({
      code: 'unexpected_response',
      message: expect.stringMatching(/does not speak TLS\.$/),
    });
  });
});

describe('a client certificate', () => {
  const names = ['IP:127.0.0.1'];
  const requiring = () => ({ requestCert: true, ca: authority.pem });

  it('is sent where the server requires one', async () => {
    await using server = await openTlsServer(authority.issue('server', { names }), requiring());
    const { cert, key } = authority.issue('client');
    const tls = { ca: authority.pem, cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    await using client = openClient(server.origin, { tls });
    expect(await client.clients.get('cli_1')).toEqual({ id: 'cli_1' });
  });

  it.each([
    ['TLSv1.2', 'refused the TLS connection.'],
    ['TLSv1.3', 'requires a client certificate.'],
  ] as const)('that is missing is certificate_rejected, with %s', async (version, message) => {
    const options = { ...requiring(), maxVersion: version };
    await using server = await openTlsServer(authority.issue('server', { names }), options);
    await using client = openClient(server.origin, { tls: { ca: authority.pem } });
    const error = await refusal(client.clients.create({ first_name: 'Ana' }));
    expect({ code: error.code, message: error.message, members: error.members }).toMatchObject({
      code: 'certificate_rejected',
      message: `${server.origin} ${message}`,
    });
  });

  it.each([
    ['is not PEM', { cert: 'no certificate' }],
    ['has no key', { cert: '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----' }],
    [
      'has an encrypted key',
      { cert: 'x', key: '-----BEGIN ENCRYPTED PRIVATE KEY-----\n-----END ENCRYPTED PRIVATE KEY-----' },
    ],
    ['comes with an authority that is not PEM', { ca: 'no certificate' }],
  ])('that %s is usage, before anything is sent', async (_what, tls) => {
    await using server = await openTlsServer(authority.issue('server', { names }));
    await using client = openClient(server.origin, { tls });
    expect((await refusal(client.me())).code).toBe('usage');
    expect(server.received).toEqual([]);
  });

  it('with the key of another one is usage', async () => {
    const { cert } = authority.issue('one');
    const { key } = authority.issue('two');
    const tls = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    await using client = openClient('https://127.0.0.1:1', { tls });
    expect((await refusal(client.me())).message).toBe(
      'The client key does not belong to the client certificate.',
    );
  });
});
