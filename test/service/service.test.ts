import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { parseServiceConfig } from '../../src/service/config.ts';
import { openService } from '../../src/service/service.ts';
import { sendRequest, toJson } from '../support/send-request.ts';
import { openTestService, type TestService } from '../support/service.ts';

const sink = { write: () => true };
const body = JSON.stringify({ first_name: 'Ana' });

/** Sends all but the last byte of a body, so that the request stays in flight. */
async function beginPost({ origin, keys }: TestService) {
  const sent = request(`${origin}/v1/clients`, {
    method: 'POST',
    agent: new Agent({ keepAlive: true }),
    headers: {
      authorization: `Bearer ${keys.owner}`,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  const outcome = once(sent, 'response').then(
    ([answer]) => Number(answer.statusCode),
    (error) => String(error.code),
  );
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.write(body.slice(0, -1));
  return { outcome, finish: () => sent.end(body.slice(-1)) };
}

describe('a closing service', () => {
  it('finishes a request in flight and accepts no other', async () => {
    await using service = await openTestService();
    const posting = await beginPost(service);
    const closing = service.close();
    await expect(sendRequest(`${service.origin}/healthz`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    posting.finish();
    expect(await posting.outcome).toBe(201);
    await closing;
  });

  it('aborts requests at the deadline', async () => {
    await using service = await openTestService({ config: { shutdownTimeoutMs: 50 } });
    const posting = await beginPost(service);
    await service.close();
    expect(await posting.outcome).toMatch(/ECONNRESET/);
  });

  it('closes idle connections immediately', async () => {
    await using service = await openTestService();
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
    socket.write('GET /healthz HTTP/1.1\r\nHost: salon\r\n\r\n');
    await once(socket, 'data');
    const ended = once(socket, 'close');
    socket.resume();
    await service.close();
    await ended;
  });

  it('can be closed twice, and returns unused requests to the account', async () => {
    const now = () => new Date('2026-11-21T09:30:00Z');
    await using service = await openTestService({ now, hourlyLimit: 1000 });
    await sendRequest(`${service.origin}/v1/me`, { key: service.keys.owner });
    await Promise.all([service.close(), service.close()]);
    await service.close();
    const config = parseServiceConfig({ port: '0', database: service.database, logLevel: 'silent' });
    await using again = await openService(config, {
      ...{ now, random: (size) => new Uint8Array(size), log: sink, env: service.env },
    });
    const answer = await sendRequest(`${again.origin}/v1/me`, { key: service.keys.owner });
    expect(answer.headers['x-ratelimit-remaining']).toBe('998');
  });
});

describe('a service that fails to start', () => {
  const environment = { now: () => new Date(), random: (size: number) => new Uint8Array(size), log: sink };

  it('reports a port in use and leaves nothing open', async () => {
    await using service = await openTestService();
    const port = new URL(service.origin).port;
    const config = parseServiceConfig({ database: service.database, port, logLevel: 'silent' });
    await expect(openService(config, { ...environment, env: service.env })).rejects.toMatchObject({
      code: 'usage',
      message: `Port ${port} on 127.0.0.1 is already in use.`,
    });
  });

  it('reports an address of another machine', async () => {
    await using service = await openTestService();
    const config = parseServiceConfig({
      port: '0',
      database: service.database,
      host: '192.0.2.1',
      logLevel: 'silent',
    });
    await expect(openService(config, { ...environment, env: service.env })).rejects.toMatchObject({
      code: 'usage',
    });
  });
});

describe('the log', () => {
  it('has a line per request, without secrets', async () => {
    await using service = await openTestService({ config: { logLevel: 'info' } });
    const key = service.keys.owner;
    const answer = await sendRequest(`${service.origin}/v1/clients?q=hidden-query`, { key });
    await sendRequest(`${service.origin}/v1/clients`, {
      method: 'POST',
      key,
      body: { notes: 'hidden-body' },
    });
    await service.close();
    const lines = service.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({
      request_id: answer.headers['x-request-id'],
      method: 'GET',
      path: '/v1/clients',
      status: 200,
      ms: expect.any(Number),
      account: service.id,
    });
    expect(service.logged.join('')).not.toMatch(/hidden|slk_/);
  });

  it.each([
    ['smtp://ana:hunter2@mail.example?requireTLS=false', 1],
    ['smtp://ana:hunter2@mail.example', 0],
  ])('says at the start if mails to %s may be unencrypted', async (url, count) => {
    const mail = { url, from: 'salon@salon.example' };
    await using service = await openTestService({ config: { logLevel: 'warn', mail } });
    expect(service.logged.filter((line) => line.includes('requireTLS=false'))).toHaveLength(count);
    expect(service.logged.join('')).not.toContain('hunter2');
  });

  it('can be silent', async () => {
    await using service = await openTestService();
    await sendRequest(`${service.origin}/v1/me`, { key: service.keys.owner });
    await service.close();
    expect(service.logged).toEqual([]);
  });

  it('has the cause of an internal error, which the response does not show', async () => {
    let fails = false;
    const now = () => {
      if (fails) throw new Error('the clock has stopped');
      return new Date();
    };
    await using service = await openTestService({ now, config: { logLevel: 'error' } });
    fails = true;
    const answer = await sendRequest(`${service.origin}/v1/me`, { key: service.keys.owner });
    fails = false;
    expect(toJson(answer)).toMatchObject({ status: 500, code: 'internal_error' });
    expect(answer.text).not.toContain('clock');
    // Background work may have failed meanwhile, too.
    expect(service.logged.map((text) => JSON.parse(text))).toContainEqual(
      expect.objectContaining({
        request_id: toJson(answer)['request_id'],
        err: expect.objectContaining({ message: 'the clock has stopped' }),
      }),
    );
  });
});
