import { setImmediate as nextTurn } from 'node:timers/promises';
import { openTestPeople, type TestPeople } from './people.ts';
import { countBySpeed } from './speed.ts';

/** How often a race is run. */
export const races = countBySpeed(5, 1000);

type Outcome = PromiseSettledResult<unknown>;

/** The longest lead that one has, in turns of the event loop: about as long as a transaction takes. */
const leads = [0, 4, 16, 64] as const;

/**
 * Starts acts of two processes at nearly the same time, and waits for both. Which of them is ahead, and by how much,
 * depends on the number of the race.
 */
export async function race(
  number: number,
  here: () => Promise<unknown>,
  there: () => Promise<unknown>,
): Promise<readonly [here: Outcome, there: Outcome]> {
  const lead = leads[(number + Math.floor(number / leads.length)) % leads.length] ?? 0;
  const later = async (act: () => Promise<unknown>) => {
    for (let turn = 0; turn < lead; turn++) await nextTurn();
    return act();
  };
  const isHereFirst = number % 2 === 0;
  const [one, other] = await Promise.allSettled([
    isHereFirst ? here() : later(here),
    isHereFirst ? later(there) : there(),
  ]);
  return [one, other];
}

export const isDone = ({ status }: Outcome): boolean => status === 'fulfilled';

export const isSignedIn = (outcome: Outcome): boolean =>
  outcome.status === 'fulfilled' && Object(outcome.value).status === 'signed_in';

/** People with two processes on their database. */
export interface TwoProcesses extends AsyncDisposable {
  readonly people: TestPeople;
  /** The same context in the second process. */
  elsewhere<Given extends object>(context: Given): Given;
  /** Moves the clock, so that waiting times and limits of the race before are over. */
  passHours(number: number): void;
}

/** Opens a salon with an owner, Ana. */
export async function openTwoProcesses(): Promise<TwoProcesses> {
  const people = await openTestPeople();
  await people.addPerson();
  const database = await people.salon.store.openAgain();
  return {
    people,
    elsewhere: (context) => ({ ...context, database }),
    passHours: (number) =>
      people.salon.environment.setTime(new Date(Date.UTC(2026, 10, 22, number)).toISOString()),
    [Symbol.asyncDispose]: () => people[Symbol.asyncDispose](),
  };
}
