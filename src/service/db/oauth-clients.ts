import type { OauthClientRole } from '../../contract/oauth-client.ts';
import type { Reader, Writer } from './engine.ts';
import { toInsert } from './rows.ts';

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
  /** The person who generated the secret; null for others, and where an earlier version stored the client. */
  secret_by: string | null;
  created_ms: number;
}

export async function insertOauthClient(tx: Writer, client: OauthClientRow): Promise<void> {
  await tx.run(...toInsert('oauth_clients', [client]));
}

/** A client of any account; undefined when there is none. */
export async function readOauthClient(reader: Reader, id: string): Promise<OauthClientRow | undefined> {
  const [row] = await reader.run<OauthClientRow>('select * from oauth_clients where id = ?', [id]);
  return row;
}

/** An account's clients, oldest first. */
export function listOauthClientRows(reader: Reader, accountId: string): Promise<OauthClientRow[]> {
  return reader.run<OauthClientRow>(
    'select * from oauth_clients where account_id = ? order by created_ms, id',
    [accountId],
  );
}

/** Replaces the secret of a client. */
export async function replaceSecret(
  tx: Writer,
  { id, secret_hash, secret_by }: Pick<OauthClientRow, 'id' | 'secret_hash' | 'secret_by'>,
): Promise<void> {
  const text = 'update oauth_clients set secret_hash = ?, secret_by = ? where id = ?';
  await tx.run(text, [secret_hash, secret_by, id]);
}

/** No secret has this hash. */
const noSecretHash = '0'.repeat(64);

/**
 * Makes secrets that a person generated useless, of all clients or of those that `isEnding` accepts, and ends the tokens
 * that these clients got for themselves. If it is not known who generated a secret, the creator of the client counts.
 * Returns the IDs of the clients.
 */
export async function revokeSecretsOf(
  tx: Writer,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
  isEnding: (client: OauthClientRow) => boolean = () => true,
): Promise<string[]> {
  const rows = await tx.run<OauthClientRow>(
    `select * from oauth_clients
      where account_id = ? and coalesce(secret_by, created_by) = ? and secret_hash <> ? order by id`,
    [accountId, userId, noSecretHash],
  );
  const clients = rows.filter(isEnding);
  for (const { id } of clients) {
    await tx.run('update oauth_clients set secret_hash = ? where id = ?', [noSecretHash, id]);
    await tx.run("delete from oauth_tokens where client_id = ? and model = 'ClientCredentials'", [id]);
  }
  return clients.map(({ id }) => id);
}

/** Deletes a client and all that was issued to it. Its grants are revoked apart. */
export async function deleteOauthClientRow(tx: Writer, id: string): Promise<void> {
  await tx.run('delete from oauth_tokens where client_id = ?', [id]);
  await tx.run('delete from oauth_clients where id = ?', [id]);
}
