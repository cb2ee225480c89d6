import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

function send(method: string, options: { body?: object; headers?: Record<string, string> } = {}) {
  return sendRequest(`${service.origin}/api/v1/salon`, { method, key: service.keys.owner, ...options });
}

describe('the settings of the salon', () => {
  it('have a tag, which a change can name', async () => {
    const { headers } = await send('GET');
    const change = { body: { currency: 'EUR' }, headers: { 'if-match': String(headers['etag']) } };
    expect(await send('PATCH', change)).toMatchObject({ status: 200 });
    expect(await send('PATCH', { ...change, body: { currency: 'CHF' } })).toMatchObject({ status: 412 });
    expect(toJson(await send('GET'))).toMatchObject({ currency: 'EUR' });
  });

  it.each([
    ['time_zone', 'Mars/Olympus'],
    ['time_zone', '+02:00'],
    ['currency', 'EURO'],
    ['currency', 'QQQ'],
    ['country', 'UK'],
    ['country', 'EU'],
    ['country', 'germany'],
    ['opening_hours', 'always'],
    ['opening_hours', 'mon 18-9'],
    ['phone', 'none'],
    ['name', ''],
    ['reminder_hours', 24],
  ])('refuse %s %j', async (field, value) => {
    const before = toJson(await send('GET'));
    const response = await send('PATCH', { body: { [field]: value } });
    expect(toJson(response)).toMatchObject({ status: 422, errors: [{ pointer: `/${field}` }] });
    expect(toJson(await send('GET'))).toEqual(before);
  });

  it.each(['DE', 'GB', 'CH', 'XK'])('take the country %s', async (country) => {
    expect(toJson(await send('PATCH', { body: { country } }))).toMatchObject({ country });
  });
});
