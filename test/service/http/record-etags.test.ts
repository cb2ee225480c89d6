import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendRequest, type TestResponse, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

const noonMs = Date.parse('2026-11-21T12:00:00Z');
let nowMs = noonMs;
let service: TestService;
let path = '';
let made: TestResponse;
beforeAll(async () => {
  service = await openTestService({ now: () => new Date(nowMs) });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  nowMs = noonMs;
  made = await send('POST', '/v1/clients', { first_name: 'Ana' });
  path = String(made.headers['location']);
});

function send(method: string, target: string, body?: object, headers = {}): Promise<TestResponse> {
  return sendRequest(service.origin + target, {
    method,
    key: service.keys.owner,
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

function tagOf(response: TestResponse): string {
  return `"${toJson(response)['updated_at']}"`;
}

describe('the ETag of a client', () => {
  it.each([
    ['GET', undefined],
    ['PUT', { notes: 'x' }],
    ['PATCH', { notes: 'x' }],
  ])('is its updated_at in double quotes (%s)', async (method, body) => {
    expect(made.headers['etag']).toBe('"2026-11-21T12:00:00.000Z"');
    const response = await send(method, path, body);
    expect(response.status).toBe(200);
    expect(response.headers['etag']).toBe(tagOf(response));
  });

  it.each([
    ['stops', 0],
    ['is set back by an hour', -3_600_000],
  ])('increases with every change, even if the clock %s', async (_, step) => {
    const tags = [made.headers['etag'] ?? ''];
    for (const notes of ['1', '2', '3']) {
      nowMs += step;
      tags.push((await send('PUT', path, { notes })).headers['etag'] ?? '');
    }
    expect(tags).toEqual(['000', '001', '002', '003'].map((ms) => `"2026-11-21T12:00:00.${ms}Z"`));
  });

  it('stays the same if nothing changes', async () => {
    nowMs += 60_000;
    const response = await send('PUT', path, { first_name: 'Ana' }, { 'if-match': made.headers['etag'] });
    expect(response).toMatchObject({ status: 200, headers: { etag: made.headers['etag'] } });
  });

  it('allows conditional reads', async () => {
    const headers = { 'if-none-match': `"other", W/${made.headers['etag']}` };
    expect(await send('GET', path, undefined, headers)).toMatchObject({
      status: 304,
      text: '',
      headers: { etag: made.headers['etag'] },
    });
    await send('PUT', path, { notes: 'x' });
    expect((await send('GET', path, undefined, headers)).status).toBe(200);
  });
});

const changes: [string, object | undefined][] = [
  ['PUT', { notes: 'x' }],
  ['PATCH', { notes: 'x' }],
  ['DELETE', undefined],
];

describe.each(changes)('a %s with If-Match', (method, body) => {
  it.each([
    ['its ETag', (tag: string) => tag],
    ['several ETags', (tag: string) => `"2020-01-01T00:00:00.000Z", ${tag}`],
    ['an asterisk', () => '*'],
    ['its ETag as nginx weakens it', (tag: string) => `W/${tag}`],
    ['its ETag with the suffix of Apache and Caddy', (tag: string) => tag.replace(/"$/, '-gzip"')],
  ])('is applied if it matches by %s', async (_, toHeader) => {
    const response = await send(method, path, body, { 'if-match': toHeader(made.headers['etag'] ?? '') });
    expect(response.status).toBe(method === 'DELETE' ? 204 : 200);
  });

  it('is applied with an ETag derived from a list row', async () => {
    const list = toJson(await send('GET', '/v1/clients?per_page=200'));
    const rows = list['data'] as { id: string; updated_at: string }[];
    const row = rows.find(({ id }) => path.endsWith(id));
    const response = await send(method, path, body, { 'if-match': `"${row?.updated_at}"` });
    expect(response.status).toBe(method === 'DELETE' ? 204 : 200);
  });

  it.each([
    ['another ETag', () => '"2020-01-01T00:00:00.000Z"'],
    ['another ETag, weakened', () => 'W/"2020-01-01T00:00:00.000Z"'],
    ['an ETag without quotes', (tag: string) => tag.replaceAll('"', '')],
    ['an empty header', () => ''],
  ])('is rejected with %s, and returns the current ETag', async (_, toHeader) => {
    const etag = made.headers['etag'] ?? '';
    const response = await send(method, path, body, { 'if-match': toHeader(etag) });
    expect(toJson(response)).toMatchObject({ status: 412, code: 'precondition_failed', etag });
    expect((await send('GET', path)).text).toBe(made.text);
  });

  it('does not find a missing client', async () => {
    const response = await send(method, '/v1/clients/cli_none', body, { 'if-match': '"x"' });
    expect(toJson(response)).toMatchObject({ status: 404, code: 'not_found' });
  });
});

it('applies one of many changes with the same ETag', async () => {
  const headers = { 'if-match': made.headers['etag'] };
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => send('PATCH', path, { notes: `${index}` }, headers)),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)]);
  const winner = responses.find(({ status }) => status === 200);
  expect((await send('GET', path)).text).toBe(winner?.text);
});

describe('a PATCH', () => {
  it('has the same effect as PUT', async () => {
    const changed = await send('PATCH', path, { notes: 'x', first_name: null, email: 'A@b.c', id: 'cli_x' });
    expect(toJson(changed)).toEqual({
      ...toJson(made),
      notes: 'x',
      first_name: null,
      email: 'a@b.c',
      updated_at: '2026-11-21T12:00:00.001Z',
    });
  });
});
