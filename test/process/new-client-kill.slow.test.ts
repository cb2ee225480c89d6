import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type SalonClient } from '../../src/index.ts';
import { type Fate, openCountingGateway } from '../support/counting-gateway.ts';
import { createHome, finish, runHere, startSalon } from '../support/salon-process.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { bySpeed } from '../support/speed.ts';

/** How many of the last requests: with them, the client is added and booked. */
const killed = bySpeed({ full: 2, long: 100 });

let service: TestService;
let client: SalonClient;

beforeAll(async () => {
  service = await openTestService();
  const credential = { kind: 'bearer', token: service.keys.owner } as const;
  client = createClient({ baseUrl: service.origin, credential });
});
afterAll(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

/** The IDs of the clients with a last name, and how many appointments they have together. */
async function readMade(lastName: string) {
  const ids: string[] = [];
  let booked = 0;
  for await (const { rows } of client.clients.list({ q: lastName })) ids.push(...rows.map(({ id }) => id));
  for (const client_id of ids) {
    for await (const { rows } of client.appointments.list({ client_id })) booked += rows.length;
  }
  return { ids, booked };
}

/** Killed after an answer is killed before the next request. */
const fates: readonly Fate[] = ['lost', 'unanswered'];
let bookings = 0;

describe.each([
  ['as it is', { hasPhone: true }],
  ['without dry runs', { hasPhone: false, hidesDryRun: true }],
  ['without idempotency keys', { hasPhone: true, hidesKeys: true }],
])('a killed booking of a new client on a service %s', (title, { hasPhone, ...options }) => {
  it('leaves both, neither, or the client, whom the next run names and books', {
    timeout: 3_000_000,
  }, async () => {
    using home = createHome();
    let requests = 0;
    let moment: { readonly request: number; readonly fate: Fate } | undefined;
    let kill = () => {};
    await using gateway = await openCountingGateway(service.origin, {
      ...options,
      fateOf() {
        requests += 1;
        if (requests !== moment?.request) return 'passed';
        kill();
        return moment.fate;
      },
    });
    const env = {
      SALON_BASE_URL: gateway.origin,
      SALON_API_KEY: service.keys.owner,
      SALON_DATA_DIR: 'data',
    };
    const run = { home, env };
    /** A new client each time, and a time of their own. */
    const toArgv = () => {
      bookings += 1;
      const start = new Date(Date.UTC(2031, 0, bookings, 9)).toISOString();
      const lastName = `${title}${bookings}`.replace(/ /g, '');
      const phone = hasPhone ? ['--phone', `+351912${100_000 + bookings}`] : [];
      const who = ['--new-client', `Rosa ${lastName}`, ...phone];
      const what = ['--stylist', service.stylistIds[0] ?? '', '--service', 'Cut', '--duration', '30m'];
      return { lastName, argv: ['book', ...who, ...what, '--start', start] };
    };
    // A new connection learns about the server; the data folder keeps it.
    for (const _ of [1, 2]) {
      requests = 0;
      const { argv, lastName } = toArgv();
      const ran = await runHere(argv, run);
      expect(ran.exitCode, ran.stderr).toBe(0);
      expect(await readMade(lastName)).toMatchObject({ ids: [expect.any(String)], booked: 1 });
    }
    const total = requests;
    let left = 0;
    for (let request = total; request > Math.max(0, total - killed); request -= 1) {
      for (const fate of fates) {
        const { argv, lastName } = toArgv();
        [requests, moment] = [0, { request, fate }];
        const child = startSalon(argv, run);
        kill = () => void child.kill('SIGKILL');
        await finish(child);
        await gateway.settle();
        moment = undefined;
        const made = await readMade(lastName);
        const what = `killed at request ${request} of ${total}, ${fate}`;
        expect(
          [
            [0, 0],
            [1, 0],
            [1, 1],
          ],
          what,
        ).toContainEqual([made.ids.length, made.booked]);
        const again = await runHere(argv, run);
        if (made.booked === 1) expect(again.exitCode, `${what}: ${again.stderr}`).toBe(7);
        else expect(again.exitCode, `${what}: ${again.stderr}`).toBe(0);
        if (made.ids.length > made.booked) {
          left += 1;
          expect(again.stderr, what).toContain(made.ids[0]);
        }
        const end = await readMade(lastName);
        expect(end, what).toEqual({
          ids: made.ids.length === 0 ? [expect.any(String)] : made.ids,
          booked: 1,
        });
      }
    }
    expect(left).toBeGreaterThan(0);
  });
});
