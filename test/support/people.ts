import {
  type Browser,
  openIdentity,
  type PersonContext,
  type SignInContext,
} from '../../src/service/identity/identity.ts';
import { signInWithPassword } from '../../src/service/identity/password-sign-in.ts';
import { readSession } from '../../src/service/identity/sessions.ts';
import { addMember, cheapPasswords, type NewPerson, testPassword } from './members.ts';
import { openTestSalon, type TestSalon } from './salon.ts';

/** A salon with people. */
export interface TestPeople extends AsyncDisposable {
  readonly salon: TestSalon;
  /** The context of somebody who has not signed in, at an address. */
  visit(address?: string): SignInContext;
  /** Adds a member. Returns their ID. */
  addPerson(person?: NewPerson): Promise<string>;
  /** Signs a person in with their password and returns their context, with the session's token. */
  signIn(email?: string): Promise<PersonContext & { readonly token: string }>;
}

export const someBrowser: Browser = { device: undefined, userAgent: 'Test browser' };

export async function openTestPeople(): Promise<TestPeople> {
  const salon = await openTestSalon();
  const { database } = salon.store;
  const { environment } = salon;
  const identity = openIdentity({
    environment,
    passwordCost: cheapPasswords,
    onError: (error) => {
      throw error;
    },
  });
  const people: TestPeople = {
    salon,
    visit: (address = '192.0.2.1') => {
      const { secrets } = salon.as();
      return { database, environment, secrets, identity, source: { requestId: 'req_test', address } };
    },
    addPerson: (person) => addMember(database, environment, { accountId: salon.accountId, ...person }),
    async signIn(email = 'ana@salon.example') {
      const result = await signInWithPassword(people.visit(), {
        email,
        password: testPassword,
        browser: someBrowser,
      });
      if (result.status !== 'signed_in') throw new Error(`The sign-in ended with ${result.status}.`);
      const read = await readSession(database, environment, result.token);
      if (read === undefined) throw new Error('The session has ended.');
      return { ...salon.as(), ...people.visit(), caller: read.caller, token: result.token };
    },
    async [Symbol.asyncDispose]() {
      await identity.close();
      await salon[Symbol.asyncDispose]();
    },
  };
  return people;
}
