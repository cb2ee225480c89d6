import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

function get(path: string) {
  return sendRequest(`${service.origin}/api/v1${path}`, { key: service.keys.owner });
}

describe('query parameters', () => {
  it.each([
    ['/clients?page=0', 'page', 'out_of_range'],
    ['/clients?page=-1', 'page', 'invalid_format'],
    ['/clients?page=%2B1', 'page', 'invalid_format'],
    ['/clients?page=1.0', 'page', 'invalid_format'],
    ['/clients?page=1e3', 'page', 'invalid_format'],
    ['/clients?page=0x10', 'page', 'invalid_format'],
    ['/clients?page=', 'page', 'invalid_format'],
    ['/clients?page', 'page', 'invalid_format'],
    ['/clients?page=%201', 'page', 'invalid_format'],
    ['/clients?page=9007199254740993', 'page', 'out_of_range'],
    [`/clients?page=${'9'.repeat(400)}`, 'page', 'out_of_range'],
    ['/clients?per_page=0', 'per_page', 'out_of_range'],
    ['/clients?page=1&page=1', 'page', 'invalid_format'],
    ['/clients?page=1&%70age=2', 'page', 'invalid_format'],
    ['/clients?page[]=1', 'page[]', 'unknown_field'],
    ['/clients?Page=1', 'Page', 'unknown_field'],
    ['/clients?__proto__=1', '__proto__', 'unknown_field'],
    ['/clients?constructor=1', 'constructor', 'unknown_field'],
    ['/clients?=1', '', 'unknown_field'],
    ['/clients?%zz=1', '%zz', 'unknown_field'],
    ['/clients?q=%zz', 'q', 'invalid_format'],
    ['/clients?q=%c3%28', 'q', 'invalid_format'],
    ['/clients?q=', 'q', 'out_of_range'],
    ['/clients?q=%00', 'q', 'invalid_format'],
    ['/clients?sort=email', 'sort', 'invalid_format'],
    ['/clients?after=forged', 'after', 'invalid_format'],
    ['/clients?updated_since=yesterday', 'updated_since', 'invalid_format'],
    ['/appointments?status=asleep', 'status', 'invalid_format'],
    ['/appointments?start_time_from=2026-02-30', 'start_time_from', 'invalid_format'],
    ['/me?verbose=true', 'verbose', 'unknown_field'],
    ['/clients/cli_1?fields=id', 'fields', 'unknown_field'],
  ])('rejects %s', async (path, parameter, code) => {
    const response = await get(path);
    expect(response.status).toBe(400);
    expect(toJson(response)).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter, code, detail: expect.any(String) }],
    });
  });

  it.each(['yes', '1', 'TRUE', ''])('rejects "%s" as a boolean', async (force) => {
    const response = await sendRequest(`${service.origin}/v1/clients/cli_1?force=${force}`, {
      method: 'DELETE',
      key: service.keys.owner,
    });
    expect(toJson(response)).toMatchObject({ status: 400, errors: [{ parameter: 'force' }] });
  });

  it('reports every invalid parameter once', async () => {
    const response = await get('/clients?page=0&per_page=x&per_page=y&colour=red&sort=age');
    const errors = toJson(response)['errors'] as { parameter: string }[];
    expect(errors.map(({ parameter }) => parameter).sort()).toEqual(['colour', 'page', 'per_page', 'sort']);
  });

  it.each([
    ['/clients?', 50],
    ['/clients?&&', 50],
    ['/clients?per_page=7', 7],
    ['/clients?per_page=007', 7],
    ['/clients?per_page=200', 200],
    ['/clients?per_page=201', 200],
    ['/clients?per_page=9007199254740991', 200],
  ])('responds to %s with a page size of %i', async (path, size) => {
    const response = await get(path);
    expect(toJson(response)).toMatchObject({ pagination: { page: 1, per_page: size, total: 3 } });
  });

  it('returns no rows far past the end', async () => {
    const response = await get('/clients?page=9007199254740991&per_page=200');
    expect(toJson(response)).toEqual({
      data: [],
      pagination: { page: Number.MAX_SAFE_INTEGER, per_page: 200, total: 3 },
    });
  });

  it('decodes + as a space', async () => {
    const made = await sendRequest(`${service.origin}/v1/clients`, {
      method: 'POST',
      key: service.keys.owner,
      body: { first_name: 'Anna Maria', last_name: 'Zzyzx' },
    });
    const found = await get('/clients?q=anna+maria+zzyzx');
    expect(toJson(found)['data']).toEqual([toJson(made)]);
  });
});
