import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendRequest, type TestRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

const body = { amount: 4500, currency: 'EUR', method: 'card' };

function send(path: string, sent: TestRequest) {
  return sendRequest(`${service.origin}${path}`, { key: service.keys.owner, ...sent });
}

function record() {
  return send('/v1/payments', { method: 'POST', body });
}

describe('a payment over HTTP', () => {
  it('has a Location and an ETag for conditional reads and refunds', async () => {
    const made = await record();
    const { id } = toJson(made);
    expect(made).toMatchObject({ status: 201, headers: { location: `/api/v1/payments/${id}` } });
    const tag = String(made.headers['etag']);
    const known = await send(`/v1/payments/${id}`, { headers: { 'if-none-match': tag } });
    expect(known.status).toBe(304);
    const refund = { method: 'POST', body: { amount: 1 }, headers: { 'if-match': tag } };
    const first = await send(`/api/v1/payments/${id}/refunds`, refund);
    expect(first).toMatchObject({ status: 200, headers: { etag: expect.not.stringContaining(tag) } });
    const second = await send(`/api/v1/payments/${id}/refunds`, refund);
    expect(toJson(second)).toMatchObject({ status: 412, code: 'precondition_failed' });
  });

  it('is not refunded by a body of null', async () => {
    const { id } = toJson(await record());
    const json = { 'content-type': 'application/json' };
    const response = await send(`/v1/payments/${id}/refunds`, {
      method: 'POST',
      body: 'null',
      headers: json,
    });
    expect(toJson(response)).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(toJson(await send(`/v1/payments/${id}`, {}))).toMatchObject({ refunded_amount: 0 });
  });

  it('is refunded in full by a request without a body', async () => {
    const { id } = toJson(await record());
    const refunded = await send(`/v1/payments/${id}/refunds`, { method: 'POST' });
    expect(toJson(refunded)).toMatchObject({ refunded_amount: 4500 });
    const again = await send(`/v1/payments/${id}/refunds`, { method: 'POST' });
    expect(toJson(again)).toMatchObject({
      status: 422,
      code: 'validation_failed',
      errors: [{ pointer: '/amount', code: 'out_of_range' }],
    });
  });

  it.each([
    ['-1', { ...body, amount: -1 }, '/amount', 'out_of_range'],
    ['a fractional amount', { ...body, amount: 0.5 }, '/amount', 'invalid_format'],
    ['a text as amount', { ...body, amount: '45.00' }, '/amount', 'invalid_format'],
    ['no currency', { amount: 1, method: 'cash' }, '/currency', 'required'],
    ['an unknown method', { ...body, method: 'barter' }, '/method', 'invalid_format'],
    ['a read-only field', { ...body, refunded_amount: 1 }, '/refunded_amount', 'unknown_field'],
  ])('is rejected with %s', async (_, wrong, pointer, code) => {
    const response = await send('/v1/payments', { method: 'POST', body: wrong });
    expect(toJson(response)).toMatchObject({ status: 422, errors: [{ pointer, code }] });
  });

  it.each([0, -1, 1.5])('is not refunded by %d', async (amount) => {
    const { id } = toJson(await record());
    const response = await send(`/v1/payments/${id}/refunds`, { method: 'POST', body: { amount } });
    expect(toJson(response)).toMatchObject({ status: 422, errors: [{ pointer: '/amount' }] });
    expect(toJson(await send(`/v1/payments/${id}`, {}))).toMatchObject({ refunded_amount: 0 });
  });
});
