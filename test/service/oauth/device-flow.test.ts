import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { signInVisitor } from '../../support/signed-in-visitor.ts';
import type { Visitor } from '../../support/visitor.ts';

let now = new Date('2026-11-22T10:00:00Z');
let service: TestService;
let visitor: Visitor;
let config: openid.Configuration;
beforeAll(async () => {
  service = await openTestService({ now: () => now });
  await service.addPerson();
  visitor = await signInVisitor(service.origin);
  config = await openid.discovery(new URL(service.origin), 'salon-cli', undefined, openid.None(), {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  });
});
afterAll(() => service[Symbol.asyncDispose]());

/** Asks for tokens once, some time later. */
async function poll(deviceCode: string, secondsLater = 5) {
  now = new Date(now.getTime() + secondsLater * 1000);
  const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
  return openid.genericGrantRequest(config, grantType, { device_code: deviceCode });
}

async function openRequest(userCode: string) {
  return visitor.submit(await visitor.open('/oauth/device'), { user_code: userCode });
}

describe('the device flow with openid-client', () => {
  it('connects a device when a person types its code and allows it', async () => {
    const device = await openid.initiateDeviceAuthorization(config, { scope: 'clients:read' });
    expect(device).toMatchObject({
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      verification_uri: `http://localhost:${new URL(service.origin).port}/oauth/device`,
      expires_in: 900,
      interval: 5,
    });
    await expect(poll(device.device_code)).rejects.toMatchObject({ error: 'authorization_pending' });
    const page = await openRequest(device.user_code.toLowerCase().replace('-', ' '));
    expect(page.seen).toContain(
      'Salon command line on another device wants to use Test salon on your behalf',
    );
    expect(page.seen).toContain(device.user_code);
    const end = await visitor.press(page, 'Allow', { decision: 'allow' });
    expect(end.seen).toContain('Connected');
    const tokens = await poll(device.device_code);
    const me = await sendRequest(`${service.origin}/v1/me`, { key: tokens.access_token });
    expect(toJson(me)).toMatchObject({ scopes: ['clients:read'], user: { email: 'ana@salon.example' } });
    expect(tokens.refresh_token).toEqual(expect.any(String));
    await expect(poll(device.device_code)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('prefills the code of a complete link, and still asks for consent', async () => {
    const device = await openid.initiateDeviceAuthorization(config, {});
    const { pathname, search } = new URL(device.verification_uri_complete ?? '');
    const page = await visitor.open(`${pathname}${search}`);
    expect(page.forms[0]?.values['user_code']).toBe(device.user_code);
    await expect(poll(device.device_code)).rejects.toMatchObject({ error: 'authorization_pending' });
  });

  it('tells the device when the person refuses', async () => {
    const device = await openid.initiateDeviceAuthorization(config, {});
    await visitor.press(await openRequest(device.user_code), 'Cancel', { decision: 'cancel' });
    await expect(poll(device.device_code)).rejects.toMatchObject({ error: 'access_denied' });
  });

  it('slows down a device that asks too often', async () => {
    const device = await openid.initiateDeviceAuthorization(config, {});
    await expect(poll(device.device_code)).rejects.toMatchObject({ error: 'authorization_pending' });
    await expect(poll(device.device_code, 1)).rejects.toMatchObject({ error: 'slow_down' });
  });

  it('ends with the code', async () => {
    const device = await openid.initiateDeviceAuthorization(config, {});
    now = new Date(now.getTime() + 901_000);
    expect((await openRequest(device.user_code)).seen).toContain('No device is waiting with this code.');
    await expect(poll(device.device_code)).rejects.toMatchObject({ error: 'expired_token' });
  });

  it('limits guessing of codes', async () => {
    const other = await service.addPerson({ email: 'bo@salon.example' });
    expect(other).toBeDefined();
    const guesser = await signInVisitor(service.origin, 'bo@salon.example');
    const device = await openid.initiateDeviceAuthorization(config, {});
    const guess = async (code: string) =>
      guesser.submit(await guesser.open('/oauth/device'), { user_code: code });
    for (let count = 0; count < 10; count += 1) expect((await guess('BBBB-BBBB')).status).toBe(422);
    const refused = await guess(device.user_code);
    expect(refused.status).toBe(429);
    expect(refused.seen).toContain('Too many wrong codes.');
  });
});
