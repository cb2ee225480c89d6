import { afterAll, beforeAll, expect, it } from 'vitest';
import { endpoints } from '../../../src/contract/endpoints.ts';
import { handlers } from '../../../src/service/http/handlers.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

let salon: TestSalon;
beforeAll(async () => {
  salon = await openTestSalon();
});
afterAll(() => salon[Symbol.asyncDispose]());

const operations = Object.keys(handlers) as (keyof typeof handlers)[];
const guarded = operations.filter((operation) => endpoints[operation].action !== null);

// Routes check rights, too, but pages and dry runs call the same functions.
it.each(guarded)('%s itself refuses a caller without the right', async (operation) => {
  const handle = handlers[operation] as (request: object) => Promise<unknown>;
  const context = salon.as({ role: 'viewer', scopes: [] });
  const request = { context, id: 'x', query: {}, body: {}, ifMatch: undefined };
  await expect(handle(request)).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:permission_denied|insufficient_scope)$/),
  });
});
