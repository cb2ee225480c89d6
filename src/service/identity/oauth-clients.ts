import type { BodyOf, QueryOf } from '../../contract/endpoints.ts';
import { kindOfId } from '../../contract/identifiers.ts';
import { type CreatedOauthClient, maxOauthClients, type OauthClient } from '../../contract/oauth-client.ts';
import { scopes as allScopes } from '../../contract/roles.ts';
import type { Reader, Writer } from '../db/engine.ts';
import {
  deleteOauthClientRow,
  insertOauthClient,
  listOauthClientRows,
  type OauthClientRow,
  readOauthClient,
  replaceSecret,
} from '../db/identity/oauth-clients.ts';
import { recordAudit, toActor } from '../domain/audit.ts';
import { authorize } from '../domain/authorization.ts';
import { type Caller, type Context, toHolder } from '../domain/context.ts';
import { cutPage, type PageOfRecords, parsePaging, toDataJson } from '../domain/list-page.ts';
import { createId, notFound } from '../domain/records.ts';
import { revokeWithCreated } from '../domain/revoke-access.ts';
import { assertValidBody, findUnstorable, invalidBody } from '../domain/validation.ts';
import { changeAccess, readOrigin } from './credential-rights.ts';
import { endGrants } from './oauth-grants.ts';
import { createToken } from './tickets.ts';

/** One page of the account's OAuth clients, oldest first. Throws `invalid_parameter`. */
export async function listOauthClients(
  context: Context,
  query: QueryOf<'listOauthClients'>,
): Promise<PageOfRecords> {
  const clients = await listAllOauthClients(context);
  const paging = parsePaging([context.caller.account.id, 'oauth_clients'], query);
  const { from } = paging;
  // An account has few: all of them are read.
  const start = 'offset' in from ? from.offset : clients.findIndex(({ id }) => id === from.after.value) + 1;
  const found = { rows: clients.slice(start), total: clients.length };
  const { shown, ...page } = cutPage(paging, found, ({ id }) => ({ value: id, seq: 0 }));
  return { ...page, dataJson: toDataJson(shown) };
}

/** All OAuth clients of the account, oldest first. */
export async function listAllOauthClients({ database, caller }: Context): Promise<OauthClient[]> {
  authorize(caller, 'listOauthClients');
  return (await listOauthClientRows(database.reader, caller.account.id)).map(toOauthClient);
}

/** An OAuth client of the account. Throws `not_found`. */
export async function getOauthClient({ database, caller }: Context, id: string): Promise<OauthClient> {
  authorize(caller, 'listOauthClients');
  return toOauthClient(await findClient(database.reader, caller.account.id, id));
}

/** Adds an OAuth client. The result is the only one with the secret. Throws `validation_failed`. */
export async function createOauthClient(
  context: Context,
  body: BodyOf<'createOauthClient'>,
): Promise<CreatedOauthClient> {
  const { environment, caller } = context;
  authorize(caller, 'createOauthClient');
  const fields = parseNewOauthClient(body);
  const secret = fields.type === 'public' ? null : createToken(environment, secretPrefix);
  const added = {
    id: createId('oauth_client', environment),
    account_id: caller.account.id,
    name: fields.name,
    secret_hash: secret?.hash ?? null,
    flows: JSON.stringify(fields.flows),
    redirect_uris: JSON.stringify(fields.redirect_uris),
    scopes: JSON.stringify(fields.scopes),
    role: fields.role,
    created_by: caller.credential.kind === 'session' ? caller.credential.user.id : null,
    created_ms: environment.now().getTime(),
    ...{ secret_by: null, secret_expires_at: null },
  };
  return changeAccess(context, async (tx) => {
    if ((await listOauthClientRows(tx, caller.account.id)).length >= maxOauthClients) {
      const detail = `An account can have at most ${maxOauthClients} OAuth clients. Delete one first.`;
      throw invalidBody([{ pointer: '', code: 'out_of_range', detail }]);
    }
    const row = { ...added, ...(secret && (await readSecretOrigin(tx, caller))) };
    await insertOauthClient(tx, row);
    const client = toOauthClient(row);
    await recordAudit(tx, context, { action: 'oauth_client.created', id: row.id, object: client });
    return { ...client, secret: secret?.text ?? null };
  });
}

/** Deletes an OAuth client. All access through it ends at once. Throws `not_found`. */
export async function deleteOauthClient(context: Context, id: string): Promise<undefined> {
  const { database, caller } = context;
  authorize(caller, 'deleteOauthClient');
  await database.transaction('service', async (tx) => {
    const row = await findClient(tx, caller.account.id, id);
    await endGrants(tx, context, { selection: { clientId: id }, reason: 'client_deleted' });
    await deleteOauthClientRow(tx, id);
    await recordAudit(tx, context, { action: 'oauth_client.deleted', id, former: toOauthClient(row) });
    await revokeWithCreated(tx, context, { ids: [id], accountId: caller.account.id, actor: toActor(caller) });
  });
}

/** Replaces the secret of a confidential client at once. Throws `not_found` and `validation_failed`. */
export async function rotateOauthClientSecret(context: Context, id: string): Promise<CreatedOauthClient> {
  const { environment, caller } = context;
  authorize(caller, 'rotateOauthClientSecret');
  const secret = createToken(environment, secretPrefix);
  return changeAccess(context, async (tx) => {
    const row = await findClient(tx, caller.account.id, id);
    if (row.secret_hash === null) {
      throw invalidBody([{ pointer: '', code: 'invalid_format', detail: 'A public client has no secret.' }]);
    }
    const origin = await readSecretOrigin(tx, caller, row);
    // What the app created with the former secret would no longer end with the key that generated that.
    if (kindOfId(row.secret_by ?? '') === 'api_key' && row.secret_by !== origin.secret_by) {
      await revokeWithCreated(tx, context, { ids: [id], accountId: row.account_id, actor: toActor(caller) });
    }
    await replaceSecret(tx, id, { ...origin, secret_hash: secret.hash });
    await recordAudit(tx, context, { action: 'oauth_client.secret_rotated', id });
    return { ...toOauthClient({ ...row, ...origin }), secret: secret.text };
  });
}

/** What a secret ends with that the caller generates: an API key, or the person. */
async function readSecretOrigin(tx: Writer, caller: Caller, former?: OauthClientRow) {
  const { createdWith, endsAt } = await readOrigin(tx, caller, former);
  const secret_by = createdWith ?? toHolder(caller.credential)?.id ?? null;
  return { secret_by, secret_expires_at: endsAt?.toISOString() ?? null };
}

const secretPrefix = 'sls_';

/** A client of the account; those of other accounts are not found either. Throws `not_found`. */
async function findClient(reader: Reader, accountId: string, id: string): Promise<OauthClientRow> {
  const row = await readOauthClient(reader, id);
  if (row === undefined || row.account_id !== accountId) throw notFound('oauth_client', id);
  return row;
}

function toOauthClient(row: OauthClientRow): OauthClient {
  const granted: string[] = JSON.parse(row.scopes);
  return {
    id: row.id,
    name: row.name,
    type: row.secret_hash === null ? 'public' : 'confidential',
    flows: JSON.parse(row.flows),
    redirect_uris: JSON.parse(row.redirect_uris),
    scopes: allScopes.filter((scope) => granted.includes(scope)),
    role: row.role,
    created_by: row.created_by,
    secret_by: row.secret_by,
    secret_expires_at: row.secret_expires_at,
    created_at: new Date(row.created_ms).toISOString(),
  };
}

type Fields = Pick<OauthClient, 'name' | 'type' | 'flows' | 'redirect_uris' | 'scopes' | 'role'>;

/** Parses the body of a new client and checks the rules between its fields. Throws `validation_failed`. */
function parseNewOauthClient(body: BodyOf<'createOauthClient'>): Fields {
  const fields: Fields = {
    name: body.name.trim(),
    type: body.type ?? 'confidential',
    flows: body.flows ?? ['authorization_code'],
    redirect_uris: body.redirect_uris ?? [],
    scopes: body.scopes ?? [...allScopes],
    role: body.role ?? null,
  };
  assertValidBody([...findUnstorable({ name: fields.name }), ...findViolations(fields)]);
  return fields;
}

/** Invisible characters can make the name of one app look like that of another. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]/u;

function* findViolations({ name, type, flows, redirect_uris, role }: Fields) {
  if (name === '' || invisible.test(name)) {
    const detail = '/name must be visible text on one line.';
    yield { pointer: '/name', code: 'invalid_format', detail } as const;
  }
  for (const [index, uri] of redirect_uris.entries()) {
    const problem = findRedirectProblem(uri, type);
    if (problem === undefined) continue;
    const pointer = `/redirect_uris/${index}`;
    yield { pointer, code: 'invalid_format', detail: `${pointer} cannot be used. ${problem}` } as const;
  }
  const needsRedirect = flows.includes('authorization_code');
  if (needsRedirect !== redirect_uris.length > 0) {
    const detail = needsRedirect
      ? '/redirect_uris is required with authorization_code.'
      : '/redirect_uris is for authorization_code only.';
    yield { pointer: '/redirect_uris', code: needsRedirect ? 'required' : 'unknown_field', detail } as const;
  }
  const isOwnCaller = flows.includes('client_credentials');
  if (isOwnCaller && type === 'public') {
    const detail = '/flows cannot contain client_credentials: a public client cannot keep a secret.';
    yield { pointer: '/flows', code: 'invalid_format', detail } as const;
  }
  if (isOwnCaller !== (role !== null)) {
    const detail = isOwnCaller
      ? '/role is required with client_credentials.'
      : '/role is for client_credentials only.';
    yield { pointer: '/role', code: isOwnCaller ? 'required' : 'unknown_field', detail } as const;
  }
}

const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * Why a redirect URI cannot be registered, in one sentence; undefined when it can. Codes are sent there, so it must be
 * one certain place: over https, on the person's own device, or in an app that owns a scheme (RFC 8252).
 */
function findRedirectProblem(uri: string, type: 'confidential' | 'public'): string | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url === undefined || !/^[!-~]+$/.test(uri)) return 'It is not an absolute URI.';
  if (uri.includes('#')) return 'It must not have a fragment.';
  if (url.username !== '' || url.password !== '') return 'It must not contain a user name or password.';
  if (uri.includes('*')) return 'It must not contain a wildcard. Register each address.';
  // It is compared as a text, and browsers would follow it to its normal form.
  if (url.href !== uri && url.href !== `${uri}/`) return `Write it in its normal form: ${url.href}`;
  const isLoopback = loopbackHosts.includes(url.hostname);
  switch (url.protocol) {
    case 'https:':
      return isLoopback ? 'Use http for a loopback address.' : undefined;
    case 'http:':
      return isLoopback ? undefined : 'Use https; http is for loopback addresses only.';
    default:
      if (!url.protocol.includes('.')) {
        return 'Its scheme must be https, or a domain that you own in reverse, such as com.example.app.';
      }
      return type === 'public' ? undefined : 'Only public clients can use a custom scheme.';
  }
}
