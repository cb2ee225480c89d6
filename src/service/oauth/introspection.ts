import type { Client } from 'oidc-provider';
import { readOauthClient } from '../db/oauth-clients.ts';
import { readActiveGrant } from '../db/oauth-grants.ts';
import type { OauthServer } from './oauth-server.ts';

/**
 * Whether a client may ask about a token: its own, or as a confidential client that of any app in its account. Public
 * clients prove nothing, and may not.
 */
export async function mayIntrospect(
  { database }: Pick<OauthServer, 'database'>,
  client: Client,
  token: { readonly clientId?: string | undefined; readonly grantId?: string | undefined },
): Promise<boolean> {
  if (client.clientAuthMethod === 'none') return false;
  if (token.clientId === client.clientId) return true;
  const own = await readOauthClient(database.reader, client.clientId);
  const accountId =
    token.grantId === undefined
      ? (await readOauthClient(database.reader, token.clientId ?? ''))?.account_id
      : (await readActiveGrant(database.reader, token.grantId))?.account_id;
  return own !== undefined && own.account_id === accountId;
}
