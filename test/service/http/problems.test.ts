import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProblemCode, problems, SalonError } from '../../../src/contract/errors.ts';
import { toProblemResponse } from '../../../src/service/http/problems.ts';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ config: { publicUrl: 'https://salon.example' } });
});
afterAll(() => service[Symbol.asyncDispose]());

const answered = { requestId: 'r1', baseUrl: 'https://salon.example' };

describe('problems', () => {
  it.each(Object.entries(problems))('have the status and title of %s', (code, { status, title }) => {
    const { problem } = toProblemResponse(new SalonError(code as ProblemCode, 'Why.'), answered);
    expect(problem).toMatchObject({ status, title, code, request_id: 'r1' });
    expect(problem.type).toBe(`https://salon.example/problems/${code.replaceAll('_', '-')}`);
  });

  it.each([
    ['an error', new Error('secret at /etc/salon')],
    ['a thrown text', 'secret'],
    ['undefined', undefined],
    ['an error of the command line', new SalonError('usage', 'secret', { members: { path: 'secret' } })],
    ['an error with a code', Object.assign(new Error('secret'), { code: 'SQLITE_CORRUPT', statusCode: 418 })],
  ])('reveal nothing of %s thrown inside', (_, thrown) => {
    const { status, problem } = toProblemResponse(thrown, answered);
    expect(status).toBe(500);
    expect(problem.code).toBe('internal_error');
    expect(JSON.stringify(problem)).not.toContain('secret');
  });

  it.each([
    ['rate_limited', { retryAfterMs: 1500 }, '2'],
    ['service_unavailable', {}, '1'],
  ] as const)('have Retry-After for %s', (code, options, seconds) => {
    expect(toProblemResponse(new SalonError(code, 'Why.', options), answered).headers['retry-after']).toBe(
      seconds,
    );
  });

  it('link to their page under the public URL', async () => {
    const response = await sendRequest(`${service.origin}/v1/clients`);
    const type = String(toJson(response)['type']);
    expect(type).toBe('https://salon.example/problems/authentication-required');
    const page = await sendRequest(type.replace('https://salon.example', service.origin));
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.text).toContain(problems.authentication_required.title);
  });

  it.each(Object.keys(problems) as ProblemCode[])('explain %s as JSON', async (code) => {
    const url = `${service.origin}/problems/${code.replaceAll('_', '-')}`;
    const response = await sendRequest(url, { headers: { accept: 'application/json' } });
    expect(toJson(response)).toEqual({ code, ...problems[code] });
  });
});

describe('every response', () => {
  it.each(['/', '/v1/clients', '/v1/me', '/nothing', '/v9/x', '/v1/%zz', '/healthz'])(
    'to %s has a request ID and the API version',
    async (path) => {
      const response = await sendRequest(`${service.origin}${path}`);
      expect(response.headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/);
      expect(response.headers['api-version']).toBe('v1.0');
      if (response.status >= 400) {
        expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
        expect(toJson(response)['request_id']).toBe(response.headers['x-request-id']);
      }
    },
  );

  it.each([
    ['abc-1.2_3', true],
    ['x'.repeat(100), true],
    ['x'.repeat(101), false],
    ['a b', false],
    ['a"b', false],
    ['', false],
  ])('uses the request ID %s: %s', async (id, taken) => {
    const response = await sendRequest(`${service.origin}/nothing`, { headers: { 'x-request-id': id } });
    expect(response.headers['x-request-id'] === id).toBe(taken);
  });
});
