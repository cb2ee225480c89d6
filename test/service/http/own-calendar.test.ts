import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { endpoints, type Operation } from '../../../src/contract/endpoints.ts';
import { accessByRole } from '../../../src/contract/roles.ts';
import {
  createOperationRequests,
  type OperationRequests,
  toRequestPath,
} from '../../support/operation-requests.ts';
import { sendRequest } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

const all = Object.entries<Endpoint>(endpoints) as [Operation, Endpoint][];
const limited = all.filter(([, { action }]) => action !== null && accessByRole[action].stylist === 'own');
const ofRecords = limited.filter(([, { path }]) => path.includes(':id'));
const lists = limited.filter(([operation]) => operation.startsWith('list'));

let service: TestService;
let requests: OperationRequests;
beforeAll(async () => {
  service = await openTestService();
  requests = createOperationRequests(service.origin, service);
});
afterAll(() => service[Symbol.asyncDispose]());

it.each(ofRecords)(
  '%s finds the record of a stylist who is limited to it, and no other',
  async (operation, endpoint) => {
    const statusFor = async (whose: 'own' | 'other') => {
      const record = await requests.makeRecord(endpoint, whose);
      const body = await requests.toBody(operation, whose);
      const path = `${service.origin}/api/v1${toRequestPath(endpoint, record['id'])}`;
      const key = service.keys.stylist;
      return (await sendRequest(path, { method: endpoint.method, key, ...(body && { body }) })).status;
    };
    expect([await statusFor('own'), await statusFor('other')]).toEqual([endpoint.success.status, 404]);
  },
);

it.each(lists)(
  '%s shows the records of a stylist who is limited to them, and no others',
  async (_name, endpoint) => {
    const [own, other] = [
      await requests.makeRecord(endpoint, 'own'),
      await requests.makeRecord(endpoint, 'other'),
    ];
    const url = `${service.origin}/api/v1${endpoint.path}?per_page=200`;
    const { text } = await sendRequest(url, { method: 'GET', key: service.keys.stylist });
    expect(text).toContain(`"${own['id']}"`);
    expect(text).not.toContain(`"${other['id']}"`);
  },
);
