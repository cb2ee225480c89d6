import { scopes as allScopes, type Scope } from '../../contract/roles.ts';
import type { Reader, Writer } from '../db/engine.ts';
import { readOauthClient } from '../db/identity/oauth-clients.ts';
import {
  type GrantSelection,
  type GrantWithNames,
  insertGrant,
  listGrants,
  type OauthGrantRow,
  revokeGrants,
} from '../db/identity/oauth-grants.ts';
import { type Actor, recordAudit, recordSecurityEvent, toActor } from '../domain/audit.ts';
import type { Context } from '../domain/context.ts';
import { createId, notFound } from '../domain/records.ts';
import { revokeWithCreated } from '../domain/revoke-access.ts';
import { assertCurrentRights, builtInApp } from './credential-rights.ts';
import { sessionOf } from './sessions.ts';

/** Why a grant ended. */
export type GrantEnd = 'revoked_by_app' | 'token_reused' | 'client_deleted';

/** Notes that the person of a session allows an app to act in the account of the session. Returns the grant's ID. */
export async function createGrant(
  tx: Writer,
  context: Context,
  { client, scopes, address, lifetimeMs }: NewGrant,
): Promise<string> {
  const { user } = sessionOf(context);
  const now = context.environment.now().getTime();
  const id = createId('grant', context.environment);
  await tx.lockAccount(context.caller.account.id);
  await assertCurrentRights(tx, context.caller);
  await insertGrant(tx, {
    id,
    account_id: context.caller.account.id,
    user_id: user.id,
    client_id: client.id,
    scopes: scopes.join(' '),
    address,
    created_ms: now,
    used_ms: now,
    expires_ms: now + lifetimeMs,
    revoked_ms: null,
  });
  await recordAudit(tx, context, {
    action: 'oauth_grant.created',
    id,
    object: { id, app_id: client.id, app_name: client.name, scopes },
  });
  return id;
}

interface NewGrant {
  readonly client: App;
  readonly scopes: readonly Scope[];
  /** Of the browser or device that is connected. */
  readonly address: string | null;
  readonly lifetimeMs: number;
}

/** An app as people see it. */
export interface App {
  readonly id: string;
  readonly name: string;
}

/** Ends grants and the API keys created with them, by default on behalf of their app. */
export async function endGrants(
  tx: Writer,
  { environment, source }: Pick<Context, 'environment' | 'source'>,
  { selection, reason, actor }: { selection: GrantSelection; reason?: GrantEnd; actor?: Actor },
): Promise<void> {
  for (const grant of await revokeGrants(tx, selection, environment.now().getTime())) {
    const { id, account_id: accountId, client_id } = grant;
    const event = { id, accountId, actor: actor ?? (await toAppActor(tx, client_id)) };
    const act = {
      action: 'oauth_grant.revoked',
      former: toAudited(grant),
      details: reason && { reason },
    } as const;
    await recordSecurityEvent(tx, { environment, source }, { ...event, ...act });
    await revokeWithCreated(tx, { environment, source }, { ...event, ids: [id] });
  }
}

async function toAppActor(tx: Writer, id: string): Promise<Actor> {
  return { type: 'app', id, name: (await findApp(tx, id))?.name ?? null };
}

/** The apps with access to the account: those of the person who asks; an owner sees everybody's. */
export async function listConnectedApps(context: Context) {
  const { user } = sessionOf(context);
  const rows = await listGrants(context.database.reader, {
    accountId: context.caller.account.id,
    nowMs: context.environment.now().getTime(),
    userId: context.caller.role === 'owner' ? undefined : user.id,
  });
  return rows.map(toConnectedApp);
}

/** A connected app that the person who asks may disconnect. Throws `not_found`. */
export async function getConnectedApp(context: Context, id: string): Promise<ConnectedApp> {
  const app = (await listConnectedApps(context)).find((one) => one.id === id);
  if (app === undefined) throw notFound('grant', id);
  return app;
}

/** Ends an app's access at once. Throws `not_found`. */
export async function disconnectApp(context: Context, id: string): Promise<void> {
  await getConnectedApp(context, id);
  const actor = toActor(context.caller);
  await context.database.transaction('service', (tx) => endGrants(tx, context, { selection: { id }, actor }));
}

/** The app with an ID: the command line, or one that an account has registered. */
export async function findApp(reader: Reader, id: string): Promise<App | undefined> {
  return id === builtInApp.id ? builtInApp : readOauthClient(reader, id);
}

function toAudited({ id, client_id, user_id, scopes }: OauthGrantRow): object {
  return { id, app_id: client_id, user_id, scopes: scopes.split(' ') };
}

function toConnectedApp(row: GrantWithNames) {
  const granted = row.scopes.split(' ');
  return {
    id: row.id,
    app: { id: row.client_id, name: row.client_name ?? builtInApp.name },
    user: { id: row.user_id, name: row.user_name, email: row.user_email },
    scopes: allScopes.filter((scope) => granted.includes(scope)),
    /** Where it was connected from. */
    address: row.address,
    created_at: new Date(row.created_ms).toISOString(),
    last_used_at: new Date(row.used_ms).toISOString(),
  };
}

/** An app's access to an account in the name of a person. */
export type ConnectedApp = ReturnType<typeof toConnectedApp>;
