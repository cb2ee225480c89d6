import { type ClientOptions, createClient, type SalonClient } from '../../src/client/client.ts';
import type { ClientEvent } from '../../src/client/events.ts';
import { SalonError } from '../../src/contract/errors.ts';
import { createTestClock, type TestClock } from './test-clock.ts';

export interface TestClient extends SalonClient {
  readonly clock: TestClock;
  readonly events: readonly ClientEvent[];
}

/** A client whose waits take no time, whose randomness is one half, and whose events are kept. */
export function openClient(baseUrl: string, options: Partial<ClientOptions> = {}): TestClient {
  const clock = createTestClock();
  const events: ClientEvent[] = [];
  const client = createClient({
    baseUrl,
    credential: { kind: 'bearer', token: 'slk_test' },
    clock,
    random: () => 0.5,
    observe: (event) => events.push(event),
    ...options,
  });
  return { ...client, clock, events };
}

/** The error a promise is rejected with; fails where it is none of the contract's. */
export async function refusal(promise: Promise<unknown>): Promise<SalonError> {
  const outcome = await promise.then(
    (value) => `it was fulfilled with ${JSON.stringify(value)}`,
    (thrown: unknown) => thrown,
  );
  if (outcome instanceof SalonError) return outcome;
  throw new Error('Expected a SalonError', { cause: outcome });
}
