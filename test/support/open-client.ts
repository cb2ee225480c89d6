import { type ClientOptions, createClient, type SalonClient } from '../../src/client/client.ts';
import type { ClientEvent } from '../../src/client/events.ts';
import { SalonError } from '../../src/contract/errors.ts';
import { createTestClock, type TestClock } from './test-clock.ts';

export interface TestClient extends SalonClient {
  readonly clock: TestClock;
  readonly events: readonly ClientEvent[];
}

/** A client that waits without time passing, has a fixed randomness of 0.5, and keeps its events. */
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

/** The `SalonError` of a rejected promise. Throws anything else. */
export async function refusal(promise: Promise<unknown>): Promise<SalonError> {
  const outcome = await promise.then(
    (value) => `it was fulfilled with ${JSON.stringify(value)}`,
    (thrown: unknown) => thrown,
  );
  if (outcome instanceof SalonError) return outcome;
  throw new Error('Expected a SalonError', { cause: outcome });
}
