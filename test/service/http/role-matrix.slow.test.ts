import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, scopeOf } from '../../../src/contract/endpoint.ts';
import { endpoints, type Operation } from '../../../src/contract/endpoints.ts';
import { scopes } from '../../../src/contract/roles.ts';
import {
  bodies,
  createOperationRequests,
  type OperationRequests,
  otherScopes,
  toRequestPath,
} from '../../support/operation-requests.ts';
import { callers, statuses } from '../../support/role-table.ts';
import { sendRequest, type TestResponse, toJson } from '../../support/send-request.ts';
import { openTestService, type TestAccount, type TestService } from '../../support/service.ts';

const all = Object.entries<Endpoint>(endpoints) as [Operation, Endpoint][];
const cases = all.flatMap(([operation, endpoint]) =>
  callers.map(([role, whose], index) => ({
    ...{ operation, endpoint, role, whose },
    status: statuses[operation][index] ?? 0,
  })),
);
const withScope = all.flatMap(([operation, endpoint]) =>
  [scopeOf(endpoint)].flatMap((scope) => (scope === null ? [] : [{ operation, endpoint, scope }])),
);
const withId = all
  .filter(([, { path }]) => path.includes(':id'))
  .map(([operation, endpoint]) => ({ operation, endpoint }));

let service: TestService;
let other: TestAccount;
let requests: OperationRequests;
beforeAll(async () => {
  service = await openTestService();
  requests = createOperationRequests(service.origin, service);
  other = await service.addAccount();
});
afterAll(() => service[Symbol.asyncDispose]());

function send(method: string, path: string, sent: { key: string; body?: object }): Promise<TestResponse> {
  return sendRequest(`${service.origin}/api/v1${path}`, { method, ...sent });
}

function toSent(key: string, body: object | undefined) {
  return body === undefined ? { key } : { key, body };
}

describe('a role', () => {
  it.each(cases)('$role at $operation ($whose): $status', async (testCase) => {
    const { operation, endpoint, role, whose, status } = testCase;
    const record = endpoint.path.includes(':id') ? await requests.makeRecord(endpoint, whose) : {};
    const body = await requests.toBody(operation, whose);
    const path = toRequestPath(endpoint, record['id']);
    const response = await send(endpoint.method, path, toSent(service.keys[role], body));
    expect(response.status, response.text).toBe(status);
    if (status >= 400 && record['id'] !== undefined) {
      expect(await requests.readAgain(endpoint, record)).toEqual(record);
    }
  });

  it('limited to its own calendar can neither give an appointment away nor take one over', async () => {
    const key = service.keys.stylist;
    const own = await requests.make('/appointments', await requests.toBooking('own'));
    const body = { stylist_id: service.stylistIds[1] };
    const response = await send('PUT', `/appointments/${own['id']}`, { key, body });
    expect(toJson(response)).toMatchObject({
      status: 403,
      code: 'permission_denied',
      required_role: 'receptionist',
    });
    const foreign = await requests.make('/appointments', await requests.toBooking('other'));
    const taken = { stylist_id: service.stylistIds[0] };
    const refused = await send('PUT', `/appointments/${foreign['id']}`, { key, body: taken });
    expect(toJson(refused)).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('a key with limited scopes', () => {
  it.each(withScope)('needs only $scope for $operation', async ({ operation, endpoint, scope }) => {
    const record = endpoint.path.includes(':id') ? await requests.makeRecord(endpoint, 'other') : {};
    const body = await requests.toBody(operation, 'other');
    const path = toRequestPath(endpoint, record['id']);
    const without = await service.addKey({ scopes: scopes.filter((other) => other !== scope) });
    const refused = await send(endpoint.method, path, toSent(without.key, body));
    expect(toJson(refused)).toMatchObject({ status: 403, code: 'insufficient_scope', scope });
    if (record['id'] !== undefined) expect(await requests.readAgain(endpoint, record)).toEqual(record);
    const { key } = await service.addKey({ scopes: [scope, ...(otherScopes[operation] ?? [])] });
    const response = await send(endpoint.method, path, toSent(key, body));
    expect(response.status, response.text).toBe(endpoint.success.status);
  });
});

describe("another account's record", () => {
  it.each(withId)('is not found by $operation and not changed', async ({ operation, endpoint }) => {
    const record = await requests.makeRecord(endpoint, 'other');
    const path = toRequestPath(endpoint, record['id']);
    const response = await send(endpoint.method, path, toSent(other.keys.owner, bodies[operation]));
    expect(toJson(response)).toMatchObject({ status: 404, code: 'not_found', id: record['id'] });
    expect(await requests.readAgain(endpoint, record)).toEqual(record);
  });
});
