import { afterAll, beforeAll, expect, it } from 'vitest';
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
