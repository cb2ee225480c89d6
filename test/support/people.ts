import type { Role } from '../../src/contract/roles.ts';
import { saveMembership } from '../../src/service/db/memberships.ts';
import { insertUser } from '../../src/service/db/users.ts';
import { createId } from '../../src/service/domain/records.ts';
import { parseEmailAddress } from '../../src/service/identity/email-address.ts';
import type { Browser, PersonContext, SignInContext } from '../../src/service/identity/identity.ts';
import { openIdentity } from '../../src/service/identity/open-identity.ts';
import type { PasswordCost } from '../../src/service/identity/passwords.ts';
import { readSession } from '../../src/service/identity/sessions.ts';
import { signInWithPassword } from '../../src/service/identity/sign-in.ts';
import { openTestSalon, type TestSalon } from './salon.ts';

/** Hashes in no time. */
export const cheapPasswords: PasswordCost = { memoryKib: 8, passes: 1, lanes: 1 };

export const testPassword = 'four random words here';

export interface NewPerson {
  readonly email?: string;
  readonly name?: string;
  readonly password?: string;
  readonly role?: Role;
  readonly stylistId?: string;
}

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
    async addPerson({
      email = 'ana@salon.example',
      name = 'Ana Costa',
      password = testPassword,
      ...rights
    } = {}) {
      const address = parseEmailAddress(email);
      const id = createId('user', environment);
      const at = environment.now().toISOString();
      const password_hash = await identity.passwords.hash(password);
      await database.transaction(async (tx) => {
        await insertUser(tx, {
          id,
          email: address.email,
          email_key: address.key,
          name,
          password_hash,
          totp_secret: null,
          totp_step: null,
          verified_at: null,
          disabled_at: null,
          created_at: at,
        });
        await saveMembership(tx, {
          account_id: salon.accountId,
          user_id: id,
          role: rights.role ?? 'owner',
          stylist_id: rights.stylistId ?? null,
          created_at: at,
          ended_at: null,
        });
      });
      return id;
    },
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
