import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { endpoints } from '../../../src/contract/endpoints.ts';
import { createRequestQueue } from '../../../src/service/http/request-queue.ts';

it('a dry run waits for no write of its account', () => {
  const queue = createRequestQueue({} as FastifyBaseLogger, () => false);
  const begun: string[] = [];
  const send = (operation: 'createClient' | 'checkWrites' | 'listClients') => {
    const request = { caller: { account: { id: 'acc_1' }, credential: { kind: 'operator' } } };
    queue.admit(request as unknown as FastifyRequest, endpoints[operation]);
    queue.start(request as unknown as FastifyRequest, undefined as never, () => begun.push(operation));
  };
  for (let write = 0; write < 40; write += 1) send('createClient');
  const running = begun.length;
  expect(running).toBeLessThan(40);
  send('checkWrites');
  send('listClients');
  expect(begun.slice(running)).toEqual(['checkWrites', 'listClients']);
});
