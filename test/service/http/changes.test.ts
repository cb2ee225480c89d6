import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient } from '../../../src/service/domain/clients.ts';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

const send = (path: string, key = service.keys.owner, body?: object) =>
  sendRequest(`${service.origin}/api/v1${path}`, { key, ...(body && { method: 'POST', body }) });

async function readPosition(): Promise<string> {
  return String(toJson(await send('/changes'))['position']);
}

it('GET /changes has a changed record as its own GET has it', async () => {
  const after = await readPosition();
  const { id } = toJson(await send('/clients', undefined, { first_name: 'Ada' }));
  const record = toJson(await send(`/clients/${id}`));
  expect(toJson(await send(`/changes?after=${after}`))).toMatchObject({
    data: [{ resource: 'client', id, deleted: false, record }],
    has_more: false,
  });
});

it.each([
  ['after=abc', 400, 'invalid_parameter'],
  ['after=', 400, 'invalid_parameter'],
  ['kinds=client,', 400, 'invalid_parameter'],
  ['page=2', 400, 'invalid_parameter'],
])('GET /changes?%s is refused', async (query, status, code) => {
  expect(toJson(await send(`/changes?${query}`))).toMatchObject({ status, code });
});

it('a position of another account is expired, and its problem page explains it', async () => {
  const { keys } = await service.addAccount();
  const after = await readPosition();
  const response = await send(`/changes?after=${after}`, keys.owner);
  expect(toJson(response)).toMatchObject({ status: 410, code: 'position_expired' });
  const { type } = toJson(response);
  expect((await sendRequest(String(type), {})).text).toContain('Position expired');
});

describe('a request that waits', () => {
  /** A request of its own connection, and whether it has been answered. */
  function startWaiting(
    query: string,
    { key = service.keys.owner, signal }: { key?: string; signal?: AbortSignal } = {},
  ) {
    const headers = { authorization: `Bearer ${key}` };
    const sent = { isDone: false };
    const answer = fetch(`${service.origin}/api/v1/changes?${query}`, { headers, ...(signal && { signal }) })
      .then(async (response) => ({ status: response.status, body: await response.json() }))
      .finally(() => {
        sent.isDone = true;
      });
    return Object.assign(sent, { answer });
  }

  it.each([
    ['this process', () => send('/clients', undefined, { first_name: 'Bo' })],
    ['another process', () => service.asOperator((operator) => addClient(operator, { first_name: 'Bo' }))],
  ])('is answered when something changes by %s', async (_what, write) => {
    const waiting = startWaiting(`after=${await readPosition()}&wait=60s`);
    for (let count = 0; count < 5; count++) await send('/me');
    expect(waiting.isDone).toBe(false);
    await write();
    expect(await waiting.answer).toMatchObject({
      status: 200,
      body: { data: [{ resource: 'client', deleted: false, record: { first_name: 'Bo' } }], has_more: false },
    });
  });

  it('is answered when its time is up, behind changes of other kinds', async () => {
    const { position } = toJson(await send('/changes?kinds=payment'));
    await send('/clients', undefined, { first_name: 'Bo' });
    const answer = toJson(await send(`/changes?kinds=payment&after=${position}&wait=1s`));
    expect(answer).toMatchObject({ data: [], has_more: false });
    expect(answer['position']).not.toBe(position);
  });

  it.each(['wait=61s', 'wait=1m', 'wait=30', 'wait='])('is refused with %s', async (wait) => {
    const response = await send(`/changes?after=${await readPosition()}&${wait}`);
    expect(toJson(response)).toMatchObject({
      status: 400,
      errors: [{ parameter: 'wait', detail: 'wait must be a time of at most 60s, such as 30s.' }],
    });
  });

  it('is refused without a position to wait at', async () => {
    expect(toJson(await send('/changes?wait=30s'))).toMatchObject({ status: 400, code: 'invalid_parameter' });
  });

  it('is refused beside four others of its account, until one of them has left', async () => {
    const account = await service.addAccount();
    const key = account.keys.owner;
    const { position } = toJson(await send('/changes', key));
    const query = `after=${position}&wait=60s`;
    const leaving = new AbortController();
    const waiting = Array.from({ length: 4 }, () => startWaiting(query, { key, signal: leaving.signal }));
    const isFull = async () =>
      (await startWaiting(`after=${position}&wait=0s`, { key }).answer).status === 429;
    await expect.poll(isFull).toBe(true);
    const refused = await sendRequest(`${service.origin}/api/v1/changes?after=${position}&wait=0s`, { key });
    expect(toJson(refused)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(refused.headers['retry-after']).toBe('10');
    // None of them takes a place from others of the account.
    expect((await send('/me', key)).status).toBe(200);
    leaving.abort();
    await Promise.allSettled(waiting.map(({ answer }) => answer));
    await expect.poll(isFull).toBe(false);
  });

  it('shows no changes to a key that has been revoked in the meantime', async () => {
    const { id, key } = await service.addKey({});
    const waiting = startWaiting(`after=${await readPosition()}&wait=60s`, { key });
    await send('/me');
    await service.revokeKey(id);
    await send('/clients', undefined, { first_name: 'Bo' });
    expect(await waiting.answer).toMatchObject({ status: 401, body: { code: 'invalid_token' } });
  });

  it('is answered at once when the server stops', async () => {
    await using own = await openTestService();
    const key = own.keys.owner;
    const url = `${own.origin}/api/v1/changes`;
    const { position } = toJson(await sendRequest(url, { key }));
    const wait = (seconds: number) => sendRequest(`${url}?after=${position}&wait=${seconds}s`, { key });
    const waiting = Array.from({ length: 4 }, () => wait(60));
    await expect.poll(async () => (await wait(0)).status).toBe(429);
    await own.close();
    for (const answer of await Promise.all(waiting)) {
      expect(toJson(answer)).toEqual({ data: [], position, has_more: false });
    }
  });
});

describe('all changes in one response', () => {
  const accept = { accept: 'application/x-ndjson' };
  const sendLines = (query: string, headers: Record<string, string> = accept, key = service.keys.owner) =>
    sendRequest(`${service.origin}/api/v1/changes?${query}`, { key, headers });
  const addMany = (count: number, by = service.asOperator) =>
    by(async (operator) => {
      for (let made = 0; made < count; made++) await addClient(operator, { first_name: `Client ${made}` });
    });
  const toLines = (text: string): Record<string, unknown>[] =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));

  it('are a line each, with positions between them and an end', async () => {
    const after = await readPosition();
    await addMany(450);
    const response = await sendLines(`after=${after}`);
    expect(response.headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'transfer-encoding': 'chunked',
      vary: 'Accept',
    });
    expect(response.headers).not.toHaveProperty('salon-total');
    const lines = toLines(response.text);
    const marks = lines.filter((line) => !('id' in line));
    const { position } = toJson(await send('/changes'));
    const cursor = { cursor: expect.any(String) };
    expect(marks).toEqual([cursor, cursor, { cursor: position }, { end: true, rows: 450 }]);
    const pages = [];
    for (let from = after, hasMore = true; hasMore; ) {
      const page = toJson(await send(`/changes?after=${from}&per_page=200`));
      pages.push(page['data']);
      [from, hasMore] = [String(page['position']), page['has_more'] === true];
    }
    expect(lines.filter((line) => 'id' in line)).toEqual(pages.flat());
    const rest = toLines((await sendLines(`after=${marks[1]?.['cursor']}`)).text);
    expect(rest).toEqual(lines.slice(402, -1).concat({ end: true, rows: 50 }));
  });

  it('are a position and an end where there are none, also without a position', async () => {
    const position = await readPosition();
    const none = [{ cursor: position }, { end: true, rows: 0 }];
    expect(toLines((await sendLines(`after=${position}`)).text)).toEqual(none);
    expect(toLines((await sendLines('')).text)).toEqual(none);
  });

  it('may be waited for', async () => {
    const waiting = sendLines(`after=${await readPosition()}&wait=60s`);
    await send('/clients', undefined, { first_name: 'Bo' });
    expect(toLines((await waiting).text)).toMatchObject([
      { record: { first_name: 'Bo' } },
      { cursor: expect.any(String) },
      { end: true, rows: 1 },
    ]);
  });

  it('are a page for a client that prefers JSON', async () => {
    const both = { accept: 'application/json, application/x-ndjson;q=0.9' };
    expect(toJson(await sendLines(`after=${await readPosition()}`, both))).toMatchObject({ data: [] });
  });

  it('are refused as a page is', async () => {
    expect(toJson(await sendLines('after=abc'))).toMatchObject({ status: 400, code: 'invalid_parameter' });
    const { key } = await service.addKey({ scopes: ['changes:read'] });
    expect(toJson(await sendLines('', accept, key))).toMatchObject({
      status: 403,
      scope: 'clients:read',
    });
  });

  it('cost a request for every 1,000 entries', async () => {
    const account = await service.addAccount();
    const { key } = { key: account.keys.owner };
    const after = String(toJson(await send('/changes', key))['position']);
    await addMany(1_100, account.asOperator);
    const before = Number((await send('/me', key)).headers['x-ratelimit-remaining']);
    const whole = await sendLines(`after=${after}`, accept, key);
    expect(toLines(whole.text).at(-1)).toEqual({ end: true, rows: 1_100 });
    const left = Number((await send('/me', key)).headers['x-ratelimit-remaining']);
    expect(before - left).toBe(3);
  });

  it('are cut behind a position where the account has no request left', async () => {
    await using small = await openTestService({ hourlyLimit: 2 });
    const url = `${small.origin}/api/v1/changes`;
    const key = small.keys.owner;
    const { position } = toJson(await sendRequest(url, { key }));
    await addMany(1_100, small.asOperator);
    const headers = { authorization: `Bearer ${key}`, ...accept };
    const { body } = await fetch(`${url}?after=${position}`, { headers });
    let text = '';
    const reading = async () => {
      for await (const chunk of body ?? []) text += Buffer.from(chunk).toString();
    };
    await expect(reading()).rejects.toThrow();
    expect(toLines(text).filter((line) => 'id' in line)).toHaveLength(1_000);
    expect(toLines(text).at(-1)).toEqual({ cursor: expect.any(String) });
  });
});

it('reading more than 1,000 changes in an hour is an export', async () => {
  let after = await readPosition();
  await service.asOperator(async (operator) => {
    for (let count = 0; count <= 1_000; count++) await addClient(operator, { first_name: `Client ${count}` });
  });
  for (let hasMore = true; hasMore; ) {
    const { position, has_more } = toJson(await send(`/changes?after=${after}&per_page=200`));
    [after, hasMore] = [String(position), has_more === true];
  }
  const { data } = JSON.parse((await send('/audit-log?action=change.exported')).text);
  const rows = data.map(({ details }: { details: { rows: number } }) => details.rows);
  expect(rows.reduce((sum: number, count: number) => sum + count, 0)).toBeGreaterThan(1_000);
});
