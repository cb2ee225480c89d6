import type { Role } from '../../src/contract/roles.ts';
import type { Database } from '../../src/service/db/database.ts';
import { saveMembership } from '../../src/service/db/identity/accounts.ts';
import { insertUser, readUserByEmailKey } from '../../src/service/db/identity/users.ts';
import type { Environment } from '../../src/service/domain/context.ts';
import { createId } from '../../src/service/domain/records.ts';
import { createPasswords, type PasswordCost } from '../../src/service/identity/passwords.ts';
import { parseEmailAddress } from '../../src/service/identity/person-fields.ts';

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

/** Adds a member to an account; the person is created unless they exist. Returns the person's ID. */
export async function addMember(
  database: Database,
  environment: Environment,
  { accountId, ...person }: NewPerson & { readonly accountId: string },
): Promise<string> {
  const { email = 'ana@salon.example', name = 'Ana Costa', password = testPassword } = person;
  const address = parseEmailAddress(email);
  const created_at = environment.now().toISOString();
  const known = await readUserByEmailKey(database.reader, address.key);
  const id = known?.id ?? createId('user', environment);
  const password_hash = await createPasswords(environment, cheapPasswords).hash(password);
  await database.transaction('service', async (tx) => {
    if (known === undefined) {
      const { email: shown, key } = address;
      await insertUser(tx, {
        id,
        email: shown,
        email_key: key,
        name,
        password_hash,
        totp_secret: null,
        totp_step: null,
        verified_at: null,
        created_at,
      });
    }
    await saveMembership(tx, {
      account_id: accountId,
      user_id: id,
      role: person.role ?? 'owner',
      stylist_id: person.stylistId ?? null,
      created_at,
      ended_at: null,
    });
  });
  return id;
}
