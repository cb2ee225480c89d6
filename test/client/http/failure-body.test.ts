import { describe, expect, it } from 'vitest';
import { isFailureBody } from '../../../src/client/http/decode.ts';
import { json, openMisbehavingServer, reset } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';

const failures: readonly (readonly [string, unknown, string])[] = [
  ['a flag', { success: false, message: 'No such day.' }, 'No such day.'],
  ['a flag as text', { success: 'false', message: 'No such day.' }, 'No such day.'],
  ['a flag of another name', { ok: false, error: 'No such day.' }, 'No such day.'],
  ['an error', { error: 'No such day.' }, 'No such day.'],
  ['an error object', { data: null, error: { code: 'x', message: 'No such day.' } }, 'No such day.'],
  ['errors', { errors: [{ message: 'No such day.' }] }, 'No such day.'],
  ['errors by field', { errors: { day: ['No such day.'] } }, 'No such day.'],
  ['errors beside data', { data: { clients: [] }, errors: [{ message: 'No such day.' }] }, 'No such day.'],
  ['JSend', { status: 'error', message: 'No such day.' }, 'No such day.'],
  ['a status that is false', { status: false, message: 'No such day.' }, 'No such day.'],
  ['names in capitals', { Success: false, Message: 'No such day.' }, 'No such day.'],
  ['an error number', { errcode: 40013, message: 'No such day.' }, 'No such day.'],
  ['an HTTP status', { statusCode: 422, message: 'No such day.' }, 'No such day.'],
  ['user errors', { customer: null, userErrors: [{ message: 'No such day.' }] }, 'No such day.'],
  ['a list of errors', [{ message: 'No such day.', errorCode: 'INVALID' }], 'No such day.'],
  ['a record with a flag and a reason', { id: 'c', success: false, error: 'No such day.' }, 'No such day.'],
];

describe('a success with a body that reports a failure', () => {
  it.each(failures)('is an error with its reason: %s', async (_what, content, message) => {
    await using server = await openMisbehavingServer(() => json(content));
    await using client = openClient(server.origin);
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const error = await refusal(client.request(method, 'clients/c'));
      expect(error).toMatchObject({ code: 'refused', status: 200, message, retryable: false });
    }
    expect((await refusal(client.clients.create({ last_name: 'Ng' }))).message).toBe(message);
    expect((await refusal(client.clients.get('c'))).message).toBe(message);
  });

  it('leaves the result unknown if an earlier attempt had no response', async () => {
    await using server = await openMisbehavingServer((_request, index) =>
      index === 0 ? reset : json({ error: 'Already done' }),
    );
    await using client = openClient(server.origin);
    expect((await refusal(client.request('PUT', 'clients/c'))).code).toBe('result_unknown');
  });
});

describe('a success', () => {
  it.each<unknown>([
    { id: 'c', error: 'The last import failed.' },
    { id: 'c', errors: ['a'] },
    { id: 'c', success: false },
    { id: 'pay_1', status: 'failed' },
    { status: 'failed', amount: 5 },
    { data: { id: 'c' }, error: null, errors: [] },
    { data: [], errors: {}, error: '', success: true },
    { data: [{ id: 'd', error: 'timeout', success: false }] },
    { error: false, ok: 'yes' },
    { error: '0', errors: 'None', data: [] },
    { status: 'ok', message: 'Done' },
    { code: 200, message: 'Done' },
    { errcode: 0, errmsg: 'ok' },
    [{ id: 'c', errorCode: null, message: 'hello' }],
    [],
    ['error'],
    'error',
    null,
  ])('is what %j stands for', (content) => {
    expect(isFailureBody(content)).toBe(false);
  });
});
