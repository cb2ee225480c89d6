import type { EventEmitter } from 'node:events';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { readOauthClient } from '../db/oauth-clients.ts';
import { anonymous } from '../domain/audit.ts';
import { recordRefusal } from '../domain/audit-refusals.ts';
import type { OauthServer } from './oauth-server.ts';

/** Events of the provider that come with an error. */
const events = [
  'authorization.error',
  'device_authorization.error',
  'grant.error',
  'introspection.error',
  'revocation.error',
] as const;

/** A wrong secret, a code or token that is unknown, used or expired, and an address that is not the app's. */
const recorded: readonly string[] = ['invalid_client', 'invalid_grant', 'invalid_redirect_uri'];

const maxPath = 100;

/** Records requests of apps that were refused in the audit log of the app's account. */
export function recordRefusedRequests(
  provider: Provider,
  { server, logError }: { readonly server: OauthServer; readonly logError: (error: unknown) => void },
): void {
  const codes = new WeakMap<object, string>();
  for (const event of events) {
    (provider as EventEmitter).on(event, (ctx: object, error: { readonly error?: string }) => {
      if (error.error !== undefined && recorded.includes(error.error)) codes.set(ctx, error.error);
    });
  }
  provider.use(async (ctx, next) => {
    await next();
    const code = codes.get(ctx);
    if (code === undefined) return;
    try {
      // Events come from the provider's own routes, which set it.
      await record(server, ctx as KoaContextWithOIDC, code);
    } catch (error) {
      logError(error);
    }
  });
}

async function record(
  { database, environment, source }: OauthServer,
  { oidc, method, path }: KoaContextWithOIDC,
  code: string,
): Promise<void> {
  const { clientId } = oidc.client ?? {};
  const app = clientId === undefined ? undefined : await readOauthClient(database.reader, clientId);
  await recordRefusal(
    database,
    { environment, source: source() },
    {
      accountId: app?.account_id ?? null,
      actor: app === undefined ? anonymous : { type: 'app', id: app.id, name: app.name },
      operation: `${method} ${path.slice(0, maxPath)}`,
      code,
    },
  );
}
