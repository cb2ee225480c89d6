import type { ApiKey } from '../../src/contract/api-key.ts';
import type { Context } from '../../src/service/domain/context.ts';
import { listApiKeys } from '../../src/service/identity/api-keys.ts';
import { readCredential } from '../../src/service/identity/credentials.ts';
import { addMember } from './members.ts';
import type { TestSalon } from './salon.ts';

export const till = { name: 'Till', role: 'receptionist' } as const;

/** The context of somebody who uses a key. */
export async function useKey({ store, environment, as }: TestSalon, key: string): Promise<Context> {
  const { caller, refusal } = await readCredential({ database: store.database, environment }, key);
  if (refusal !== undefined) throw refusal;
  return { ...as(), caller };
}

/** The context of a person with a session. */
export async function signInAs(salon: TestSalon, role: 'owner' | 'manager'): Promise<Context> {
  const { store, environment, accountId } = salon;
  const email = `${role}@salon.example`;
  const id = await addMember(store.database, environment, { accountId, role, email, name: `The ${role}` });
  const user = { id, name: `The ${role}`, email };
  const context = salon.as({ role });
  return { ...context, caller: { ...context.caller, credential: { kind: 'session', id: 'ses_1', user } } };
}

export async function listKeys(context: Context, query = {}): Promise<ApiKey[]> {
  return JSON.parse((await listApiKeys(context, query)).dataJson.toString());
}
