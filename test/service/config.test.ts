import { describe, expect, it } from 'vitest';
import { SalonError } from '../../src/contract/errors.ts';
import { parseServiceConfig } from '../../src/service/config.ts';

const database = 'sqlite:salon.db';

describe('the configuration of a service', () => {
  it('requires a database and has defaults for the rest', () => {
    expect(parseServiceConfig({ database })).toEqual({
      database,
      host: '127.0.0.1',
      port: 0,
      logLevel: 'info',
      slowQueryMs: 1000,
      allowsLoopbackWebhooks: false,
      shutdownTimeoutMs: 10_000,
    });
  });

  it.each([
    [{ port: '8080' }, { port: 8080 }],
    [{ host: '::1' }, { host: '::1' }],
    [{ publicUrl: 'https://salon.example/' }, { publicUrl: 'https://salon.example' }],
    [{ publicUrl: 'http://127.0.0.1:8080' }, { publicUrl: 'http://127.0.0.1:8080' }],
    [
      { trustedProxies: '10.0.0.5, fd00::/8,loopback' },
      { trustedProxies: ['10.0.0.5', 'fd00::/8', 'loopback'] },
    ],
    [{ logLevel: 'silent' }, { logLevel: 'silent' }],
    [{ shutdownTimeoutMs: '0' }, { shutdownTimeoutMs: 0 }],
    [{ slowQueryMs: '0' }, { slowQueryMs: 0 }],
    [{ metrics: '9464' }, { metricsAddress: { host: '127.0.0.1', port: 9464 } }],
    [{ metrics: '10.0.0.5:9464' }, { metricsAddress: { host: '10.0.0.5', port: 9464 } }],
    [{ metrics: '[::1]:0' }, { metricsAddress: { host: '::1', port: 0 } }],
    [{ metricsToken: 'a'.repeat(16) }, { metricsToken: 'a'.repeat(16) }],
    [{ allowsLoopbackWebhooks: 'true' }, { allowsLoopbackWebhooks: true }],
    [{ webhookPorts: '9443, 444' }, { webhookPorts: [9443, 444] }],
  ])('accepts %o', (input, expected) => {
    expect(parseServiceConfig({ database, ...input })).toMatchObject(expected);
  });

  it.each([
    ['database', undefined],
    ['database', ' '],
    ['host', ''],
    ['host', 'http://localhost'],
    ['host', '[::1]'],
    ['port', ''],
    ['port', '-1'],
    ['port', '65536'],
    ['port', '80.5'],
    ['port', 'http'],
    ['webhookPorts', '443,x'],
    ['webhookPorts', '65536'],
    ['publicUrl', 'salon.example'],
    ['publicUrl', 'ftp://salon.example'],
    ['publicUrl', 'https://salon.example/api'],
    ['publicUrl', 'https://salon.example/?a=1'],
    ['publicUrl', 'https://owner@salon.example'],
    ['trustedProxies', 'proxy.example'],
    ['trustedProxies', '10.0.0.0/33'],
    ['trustedProxies', '0.0.0.0/0'],
    ['trustedProxies', '10.0.0.0/8/8'],
    ['trustedProxies', '10.0.0.5,'],
    ['logLevel', 'loud'],
    ['logLevel', 'constructor'],
    ['shutdownTimeoutMs', '10s'],
    ['shutdownTimeoutMs', '86400001'],
    ['slowQueryMs', '-1'],
    ['metrics', ''],
    ['metrics', '127.0.0.1:'],
    ['metrics', '127.0.0.1:http'],
    ['metrics', '65536'],
  ])('rejects %s "%s" by name', (name, value) => {
    const parse = () => parseServiceConfig({ database, [name]: value });
    expect(parse).toThrow(SalonError);
    expect(parse).toThrow(expect.objectContaining({ code: 'usage', message: expect.stringContaining(name) }));
  });

  it.each(['short', 'with a space in it'])('rejects the metrics token "%s" without repeating it', (token) => {
    const parse = () => parseServiceConfig({ database, metricsToken: token });
    expect(parse).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(parse).not.toThrow(token);
  });
});
