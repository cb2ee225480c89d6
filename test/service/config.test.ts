import { describe, expect, it } from 'vitest';
import { SalonError } from '../../src/contract/errors.ts';
import { parseServiceConfig, serviceSettings } from '../../src/service/config.ts';
import { toFlagName } from '../../src/settings.ts';

const database = 'sqlite:salon.db';

describe('the configuration of a service', () => {
  it('requires a database and has defaults for the rest', () => {
    expect(parseServiceConfig({ database })).toEqual({
      database,
      host: '127.0.0.1',
      port: 8080,
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
    [{ slowQuery: '0s' }, { slowQueryMs: 0 }],
    [{ workers: '4' }, { workers: 4 }],
    [{ logFile: 'salon.log' }, { logFile: 'salon.log' }],
    [{ metrics: '9464' }, { metricsAddress: { host: '127.0.0.1', port: 9464 } }],
    [{ metrics: '10.0.0.5:9464' }, { metricsAddress: { host: '10.0.0.5', port: 9464 } }],
    [{ metrics: '[::1]:0' }, { metricsAddress: { host: '::1', port: 0 } }],
    [{ allowLoopbackWebhooks: true }, { allowsLoopbackWebhooks: true }],
    [{ allowWebhookPorts: '9443, 444' }, { webhookPorts: [9443, 444] }],
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
    ['allowWebhookPorts', '443,x'],
    ['allowWebhookPorts', '65536'],
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
    ['slowQuery', '-1s'],
    ['workers', '0'],
    ['workers', '65'],
    ['metrics', ''],
    ['metrics', '127.0.0.1:'],
    ['metrics', '127.0.0.1:http'],
    ['metrics', '65536'],
  ] as const)('rejects %s "%s" by the name of its flag', (name, value) => {
    const parse = () => parseServiceConfig({ database, [name]: value });
    const flag = toFlagName(serviceSettings[name]);
    expect(parse).toThrow(SalonError);
    expect(parse).toThrow(expect.objectContaining({ code: 'usage', message: expect.stringContaining(flag) }));
  });

  it.each([
    [{ SALON_METRICS_TOKEN: 'a'.repeat(16) }, { metricsToken: 'a'.repeat(16) }],
    [{ SALON_ALLOW_WEBHOOK_PORTS: '9443' }, { webhookPorts: [9443] }],
    [{ SALON_ALLOW_WEBHOOK_PORTS: '' }, { webhookPorts: undefined }],
    [{ SALON_LOG_FILE: 'salon.log' }, { logFile: 'salon.log' }],
    [
      { SALON_SMTP_URL: 'smtp://mail.example', SALON_MAIL_FROM: 'salon@salon.example' },
      { mail: { url: 'smtp://mail.example', from: 'salon@salon.example' } },
    ],
  ])('reads %o from the environment', (env, expected) => {
    expect(parseServiceConfig({ database }, env)).toMatchObject(expected);
  });

  it.each([
    [{ SALON_ALLOW_WEBHOOK_PORTS: 'x' }, 'SALON_ALLOW_WEBHOOK_PORTS'],
    [{ SALON_SMTP_URL: 'https://mail.example' }, 'SALON_SMTP_URL'],
    [{ SALON_SMTP_URL: 'smtp://mail.example?requireTls=false' }, 'SALON_SMTP_URL has an unknown parameter'],
    [{ SALON_SMTP_URL: 'smtp://mail.example?requireTLS=no' }, 'SALON_SMTP_URL has an unknown parameter'],
    [{ SALON_SMTP_URL: 'smtp://mail.example?requireTLS=false' }, 'SALON_MAIL_FROM'],
  ])('rejects %o by the name of the variable', (env, variable) => {
    expect(() => parseServiceConfig({ database }, env)).toThrow(variable);
  });

  it.each(['short', 'with a space in it'])('rejects the metrics token "%s" without repeating it', (token) => {
    const parse = () => parseServiceConfig({ database }, { SALON_METRICS_TOKEN: token });
    expect(parse).toThrow(expect.objectContaining({ code: 'usage' }));
    expect(parse).not.toThrow(token);
  });
});
