import { afterAll, beforeAll, expect, it } from 'vitest';
import { endpoints } from '../../../src/contract/endpoints.ts';
import { roles } from '../../../src/contract/roles.ts';
import { authorize } from '../../../src/service/domain/authorization.ts';
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
it.each(guarded)(
  '%s itself asks for its own right: every role is refused as the contract says',
  async (operation) => {
    const handle = handlers[operation] as (request: object) => Promise<unknown>;
    for (const role of roles) {
      const context = salon.as({ role, scopes: [] });
      const request = { context, id: 'x', query: {}, body: {}, ifMatch: undefined };
      const refused = expect.soft(handle(request), role);
      await refused.rejects.toThrow(refusalOf(() => authorize(context.caller, operation)));
    }
  },
);

function refusalOf(check: () => unknown): unknown {
  try {
    return check();
  } catch (error) {
    return error;
  }
}
