import type { OauthClientRole } from '../../../contract/oauth-client.ts';
import { type Reader, readFirst, type Writer } from '../engine.ts';
import { toInsert, toUpdate } from '../rows.ts';

/** An app that an account has registered. The command line is built in and has no row. */
export interface OauthClientRow {
  id: string;
  account_id: string;
  name: string;
  /** SHA-256 of the secret, in hexadecimal; null for a public client. */
  secret_hash: string | null;
  /** A JSON list. */
  flows: string;
  /** A JSON list. */
  redirect_uris: string;
  /** The scopes it may ask for, a JSON list. */
  scopes: string;
  /** Its own role with client credentials; null without. */
  role: OauthClientRole | null;
  created_by: string | null;
  /** The person or API key that generated the secret, and that it ends with; null for others, also in old rows. */
  secret_by: string | null;
  created_ms: number;
  /** When that API key expires: RFC 3339 in UTC with milliseconds; null for no expiry. */
  secret_expires_at: string | null;
}

export async function insertOauthClient(tx: Writer, client: OauthClientRow): Promise<void> {
  await tx.run(...toInsert('oauth_clients', [client]));
}

/** A client of any account; undefined when there is none. */
export function readOauthClient(reader: Reader, id: string) {
  return readFirst<OauthClientRow>(reader, 'select * from oauth_clients where id = ?', [id]);
}

/** An account's clients, oldest first. */
export function listOauthClientRows(reader: Reader, accountId: string): Promise<OauthClientRow[]> {
  return reader.run('select * from oauth_clients where account_id = ? order by created_ms, id', [accountId]);
}

export async function replaceSecret(
  tx: Writer,
  id: string,
  secret: Pick<OauthClientRow, 'secret_hash' | 'secret_by' | 'secret_expires_at'>,
): Promise<void> {
  await tx.run(...toUpdate('oauth_clients', secret, { id }));
}

/** No secret has this hash. */
export const noSecretHash = '0'.repeat(64);

/** The clients whose secret a person generated. If it is not known who did, the creator of the client counts. */
export function readClientsWithSecretOf(
  reader: Reader,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
): Promise<OauthClientRow[]> {
  const text = `select * from oauth_clients
    where account_id = ? and coalesce(secret_by, created_by) = ? and secret_hash <> ? order by id`;
  return reader.run(text, [accountId, userId, noSecretHash]);
}

/** Makes the secret of a client useless, and the tokens that it got for itself. Returns whether there was one. */
export async function revokeSecret(tx: Writer, id: string): Promise<boolean> {
  const text = 'update oauth_clients set secret_hash = ? where id = ? and secret_hash <> ? returning id';
  if ((await tx.run(text, [noSecretHash, id, noSecretHash])).length === 0) return false;
  await tx.run("delete from oauth_tokens where client_id = ? and model = 'ClientCredentials'", [id]);
  return true;
}

/** Deletes a client and all that was issued to it. Its grants are revoked apart. */
export async function deleteOauthClientRow(tx: Writer, id: string): Promise<void> {
  await tx.run('delete from oauth_tokens where client_id = ?', [id]);
  await tx.run('delete from oauth_clients where id = ?', [id]);
}
