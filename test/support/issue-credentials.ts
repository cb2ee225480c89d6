import { randomBytes } from 'node:crypto';
import { scopes as allScopes, type Role, type Scope } from '../../src/contract/roles.ts';
import type { Writer } from '../../src/service/db/engine.ts';
import { insertOauthClient } from '../../src/service/db/identity/oauth-clients.ts';
import { insertGrant, saveToken } from '../../src/service/db/identity/oauth-grants.ts';
import type { Environment } from '../../src/service/domain/context.ts';
import { createId } from '../../src/service/domain/records.ts';
import { startSession } from '../../src/service/identity/sessions.ts';
import { toTokenHash } from '../../src/service/identity/tickets.ts';

const hourMs = 3_600_000;

/** Signs a person in. Returns the token of their session. */
export function signIn(
  tx: Writer,
  environment: Environment,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
): Promise<string> {
  const source = { requestId: null, address: null };
  return startSession(tx, { environment, source }, { userId, accountId, userAgent: null });
}

/** An access token that a person has allowed the command line. */
export async function issuePersonToken(
  tx: Writer,
  environment: Environment,
  given: { readonly accountId: string; readonly userId: string; readonly scopes?: readonly Scope[] },
): Promise<string> {
  const { accountId, userId, scopes = allScopes } = given;
  const now = environment.now().getTime();
  const grantId = createId('grant', environment);
  await insertGrant(tx, {
    ...{
      id: grantId,
      account_id: accountId,
      user_id: userId,
      client_id: 'salon-cli',
      scopes: scopes.join(' '),
    },
    address: null,
    ...{ created_ms: now, used_ms: now, expires_ms: now + 24 * hourMs, revoked_ms: null },
  });
  return issueToken(tx, environment, { clientId: 'salon-cli', grantId, scopes });
}

/** The role of an app: it has no calendar. */
export type AppRole = Exclude<Role, 'stylist'>;

/** Adds an app that acts for itself. Returns its ID. */
export async function addApp(
  tx: Writer,
  environment: Environment,
  { accountId, role }: { readonly accountId: string; readonly role: AppRole },
): Promise<string> {
  const id = createId('oauth_client', environment);
  await insertOauthClient(tx, {
    ...{ id, account_id: accountId, name: 'Bookings', secret_hash: toTokenHash('secret') },
    ...{ flows: '["client_credentials"]', redirect_uris: '[]', scopes: JSON.stringify(allScopes), role },
    ...{
      created_by: null,
      secret_by: null,
      secret_expires_at: null,
      created_ms: environment.now().getTime(),
    },
  });
  return id;
}

/** An access token of an app for itself. */
export function issueAppToken(
  tx: Writer,
  environment: Environment,
  { clientId, scopes = allScopes }: { readonly clientId: string; readonly scopes?: readonly Scope[] },
): Promise<string> {
  return issueToken(tx, environment, { clientId, grantId: null, scopes });
}

async function issueToken(
  tx: Writer,
  environment: Environment,
  given: { readonly clientId: string; readonly grantId: string | null; readonly scopes: readonly Scope[] },
): Promise<string> {
  const token = `slt_${randomBytes(32).toString('base64url')}`;
  const now = environment.now().getTime();
  await saveToken(tx, {
    ...{ hash: toTokenHash(token), model: given.grantId === null ? 'ClientCredentials' : 'AccessToken' },
    ...{
      client_id: given.clientId,
      grant_id: given.grantId,
      scopes: given.scopes.join(' '),
      generation: null,
    },
    ...{ user_code_hash: null, created_ms: now, expires_ms: now + hourMs, consumed_ms: null, payload: '{}' },
  });
  return token;
}
