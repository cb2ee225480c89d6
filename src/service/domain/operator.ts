import { scopes } from '../../contract/roles.ts';
import type { AccountRecord } from './accounts.ts';
import type { Caller } from './context.ts';

/** The operator of the service, who may do in an account what its owner may. */
export function toOperator({ id, name, plan, hourly_limit: hourlyLimit }: AccountRecord): Caller {
  return {
    account: { id, name, plan, hourlyLimit },
    role: 'owner',
    scopes,
    stylistId: null,
    credential: { kind: 'operator' },
  };
}
