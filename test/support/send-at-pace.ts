// A process that sends requests with a shared rate ledger.
import { openRateLedger } from '../../src/cli/session/server-state.ts';
import { createClient } from '../../src/client/client.ts';

const [origin = '', folder = '', requests = ''] = process.argv.slice(2);

await using client = createClient({
  baseUrl: origin,
  credential: { kind: 'bearer', token: 'slk_test' },
  ledger: openRateLedger({
    folder,
    origin,
    owner: 'acc_1',
    name: String(process.pid),
    perHour: undefined,
    now: Date.now,
    warn(text) {
      throw new Error(text);
    },
  }),
});
await Promise.all(Array.from({ length: Number(requests) }, () => client.request('GET', 'clients/cli_1')));
