import { describe, expect, it } from 'vitest';
import { sendRequest } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

const config = { logLevel: 'info' } as const;

async function readLog(service: TestService) {
  await service.close();
  const lines = service.logged.map((line) => JSON.parse(line));
  return lines.filter(({ msg }) => !msg.startsWith('listening on'));
}

describe('the log', () => {
  it('begins with the version and the database, and ends with the stop', async () => {
    await using service = await openTestService({ config });
    const lines = await readLog(service);
    expect(lines).toMatchObject([
      {
        msg: 'service started',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        // Without user and password.
        database: service.database.replace(/\/\/.*@/, '//'),
        engine: expect.stringMatching(/^(?:SQLite 3|PostgreSQL 1\d)\.\d/),
        url: service.origin,
      },
      { msg: 'service stopped' },
    ]);
  });

  it('names the key, the account, the address and the number of records of a request', async () => {
    await using service = await openTestService({ config });
    const { id, key } = await service.addKey({});
    const response = await sendRequest(`${service.origin}/v1/clients`, { key });
    const lines = await readLog(service);
    expect(lines.filter(({ msg }) => msg === 'request')).toMatchObject([
      {
        request_id: expect.stringMatching(/^req_[0-9a-f]{32}$/),
        ...{ account: service.id, key: id, rows: 3, address: '127.0.0.1', status: 200 },
      },
    ]);
    expect(response.headers['x-request-id']).toBe(lines.at(1).request_id);
  });

  it('says why a request is not authenticated, and with which known key', async () => {
    await using service = await openTestService({ config });
    const { id, key } = await service.addKey({});
    await service.revokeKey(id);
    await sendRequest(`${service.origin}/v1/clients`, { key });
    await sendRequest(`${service.origin}/v1/clients`, { key: 'slk_unknown' });
    await sendRequest(`${service.origin}/v1/clients`);
    const lines = (await readLog(service)).filter(({ msg }) => msg === 'request');
    expect(lines).toMatchObject([
      { status: 401, code: 'invalid_token', key: id, reason: expect.stringMatching(/was revoked at/) },
      { status: 401, code: 'invalid_token', account: null, reason: 'Unknown API key.' },
      { status: 401, reason: 'The request has no Authorization header.' },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/slk_/);
  });

  it('has the code of a problem, and no message that may quote a record', async () => {
    await using service = await openTestService({ config });
    const { key } = await service.addKey({});
    await sendRequest(`${service.origin}/v1/clients?q=Ana&sort=Ana`, { key });
    const [line] = (await readLog(service)).filter(({ msg }) => msg === 'request');
    expect(line).toMatchObject({ status: 400, code: 'invalid_parameter' });
    expect(JSON.stringify(line)).not.toContain('Ana');
  });

  it('leaves out health checks', async () => {
    await using service = await openTestService({ config });
    for (const path of ['/healthz', '/readyz']) await sendRequest(service.origin + path);
    expect((await readLog(service)).map(({ msg }) => msg)).toEqual(['service started', 'service stopped']);
  });

  it('has one line for an error that repeats, and their number at the end', async () => {
    let fails = false;
    const now = () => {
      if (fails) throw new Error('the clock has stopped');
      return new Date();
    };
    await using service = await openTestService({ now, config: { logLevel: 'error' } });
    fails = true;
    for (let index = 0; index < 5; index += 1) {
      await sendRequest(`${service.origin}/v1/me`, { key: service.keys.owner });
    }
    fails = false;
    // On a slow machine, background work may have failed meanwhile, too.
    const failed = (await readLog(service)).filter(({ msg }) => msg === 'request failed');
    expect(failed).toMatchObject([
      { msg: 'request failed', err: { type: 'Error', message: 'the clock has stopped' } },
      { msg: 'request failed', repeated: 4 },
    ]);
  });

  it('has the slow statements of a request, without their values', async () => {
    await using service = await openTestService({ config: { logLevel: 'warn', slowQueryMs: 0.000001 } });
    const key = service.keys.owner;
    const send = (method: string, path: string, id: string, body?: object) =>
      sendRequest(`${service.origin}/v1${path}`, { method, key, headers: { 'x-request-id': id }, body });
    const posts = ['post-1', 'post-2'].map((id) =>
      send('POST', '/clients', id, { first_name: `Hidden ${id}` }),
    );
    await Promise.all([...posts, send('GET', '/clients?q=hidden', 'get')]);
    const lines = (await readLog(service)).filter(({ msg }) => msg === 'slow statement');
    const textsOf = (id: string) => lines.filter(({ request_id }) => request_id === id).map(({ sql }) => sql);
    for (const id of ['post-1', 'post-2']) {
      expect(textsOf(id)).toContainEqual(expect.stringMatching(/^insert into "?clients"? .*\?/));
    }
    expect(textsOf('get').join()).toMatch(/clients/);
    expect(textsOf('get').join()).not.toMatch(/insert into "?clients/);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 40, ms: expect.any(Number), rows: expect.any(Number) }),
    );
    expect(JSON.stringify(lines)).not.toMatch(/hidden/i);
  });
});
