import { SalonError } from '../../contract/errors.ts';
import type { Writer } from '../db/engine.ts';
import { readKey } from '../db/identity/api-keys.ts';
import { readMember } from '../db/identity/memberships.ts';
import { noSecretHash, readOauthClient } from '../db/identity/oauth-clients.ts';
import { readGrant } from '../db/identity/oauth-grants.ts';
import type { Caller } from '../domain/context.ts';

/**
 * Throws `invalid_token` and `permission_denied` if the caller lost their access or their role after the request was
 * authenticated. What they create would otherwise outlast the end of their access. Call it with the account locked.
 */
export async function assertCurrentRights(tx: Writer, { account, role, credential }: Caller): Promise<void> {
  if (credential.kind === 'operator') return;
  if (credential.kind === 'token') {
    const { user, id } = credential;
    const client = user === null ? await readOauthClient(tx, id) : undefined;
    const hasEnded =
      user === null
        ? client?.secret_hash === noSecretHash || client?.secret_by !== credential.secretBy
        : (await readGrant(tx, id))?.revoked_ms !== null;
    if (hasEnded) throw new SalonError('invalid_token', 'The access of this app was revoked a moment ago.');
  }
  if (credential.kind === 'api_key') {
    const key = await readKey(tx, { accountId: account.id, id: credential.id });
    if (key !== undefined && key.revoked_at !== null) {
      throw new SalonError('invalid_token', 'The API key was revoked a moment ago.');
    }
  } else if (credential.user !== null) {
    const member = await readMember(tx, { accountId: account.id, userId: credential.user.id });
    if (member?.role === role) return;
    throw new SalonError('permission_denied', 'Your role in this account was changed a moment ago.');
  }
}
