import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendRequest, type TestAnswer, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

const noonMs = Date.parse('2026-11-21T12:00:00Z');
let nowMs = noonMs;
let service: TestService;
let path = '';
let made: TestAnswer;
beforeAll(async () => {
  service = await openTestService({ now: () => new Date(nowMs) });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  nowMs = noonMs;
  made = await send('POST', '/v1/clients', { first_name: 'Ana' });
  path = String(made.headers['location']);
});

function send(method: string, target: string, body?: object, headers = {}): Promise<TestAnswer> {
  return sendRequest(service.origin + target, {
    method,
    key: service.keys.owner,
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

function tagOf(answer: TestAnswer): string {
  return `"${toJson(answer)['updated_at']}"`;
}

describe('the tag of a client', () => {
  it.each([
    ['GET', undefined],
    ['PUT', { notes: 'x' }],
    ['PATCH', { notes: 'x' }],
  ])('is its updated_at in double quotes (%s)', async (method, body) => {
    expect(made.headers['etag']).toBe('"2026-11-21T12:00:00.000Z"');
    const answer = await send(method, path, body);
    expect(answer.status).toBe(200);
    expect(answer.headers['etag']).toBe(tagOf(answer));
  });

  it.each([
    ['stands still', 0],
    ['goes back by an hour', -3_600_000],
  ])('grows with every change, even where the clock %s', async (_, step) => {
    const tags = [made.headers['etag'] ?? ''];
    for (const notes of ['1', '2', '3']) {
      nowMs += step;
      tags.push((await send('PUT', path, { notes })).headers['etag'] ?? '');
    }
    expect(tags).toEqual(['000', '001', '002', '003'].map((ms) => `"2026-11-21T12:00:00.${ms}Z"`));
  });

  it('stays when a change changes nothing', async () => {
    nowMs += 60_000;
    const answer = await send('PUT', path, { first_name: 'Ana' }, { 'if-match': made.headers['etag'] });
    expect(answer).toMatchObject({ status: 200, headers: { etag: made.headers['etag'] } });
  });

  it('saves who has the client as it is the reading of it', async () => {
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
    ['the tag', (tag: string) => tag],
    ['several tags', (tag: string) => `"2020-01-01T00:00:00.000Z", ${tag}`],
    ['an asterisk', () => '*'],
  ])('is made where it names the client by %s', async (_, toHeader) => {
    const answer = await send(method, path, body, { 'if-match': toHeader(made.headers['etag'] ?? '') });
    expect(answer.status).toBe(method === 'DELETE' ? 204 : 200);
  });

  it('is made with the tag that a row of the list tells', async () => {
    const list = toJson(await send('GET', '/v1/clients?per_page=200'));
    const rows = list['data'] as { id: string; updated_at: string }[];
    const row = rows.find(({ id }) => path.endsWith(id));
    const answer = await send(method, path, body, { 'if-match': `"${row?.updated_at}"` });
    expect(answer.status).toBe(method === 'DELETE' ? 204 : 200);
  });

  it.each([
    ['another tag', () => '"2020-01-01T00:00:00.000Z"'],
    ['a weak tag', (tag: string) => `W/${tag}`],
    ['a tag without quotes', (tag: string) => tag.replaceAll('"', '')],
    ['nothing', () => ''],
  ])('is refused where it names %s, and tells the tag there is', async (_, toHeader) => {
    const etag = made.headers['etag'] ?? '';
    const answer = await send(method, path, body, { 'if-match': toHeader(etag) });
    expect(toJson(answer)).toMatchObject({ status: 412, code: 'precondition_failed', etag });
    expect((await send('GET', path)).text).toBe(made.text);
  });

  it('does not find a client that is not there', async () => {
    const answer = await send(method, '/v1/clients/cli_none', body, { 'if-match': '"x"' });
    expect(toJson(answer)).toMatchObject({ status: 404, code: 'not_found' });
  });
});

it('of many changes that start from one tag, one is made', async () => {
  const headers = { 'if-match': made.headers['etag'] };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => send('PATCH', path, { notes: `${index}` }, headers)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)]);
  const winner = answers.find(({ status }) => status === 200);
  expect((await send('GET', path)).text).toBe(winner?.text);
});

describe('a PATCH', () => {
  it('means what a PUT means', async () => {
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
