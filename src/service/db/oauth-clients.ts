import type { Reader, Writer } from './engine.ts';
import type { Tables } from './tables.ts';

export type OauthClientRow = Tables['oauth_clients'];

export async function insertOauthClient(tx: Writer, client: OauthClientRow): Promise<void> {
  await tx.insertInto('oauth_clients').values(client).execute();
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

/** Replaces the hash of a client's secret. */
export async function replaceSecretHash(tx: Writer, id: string, secretHash: string): Promise<void> {
  await tx.run('update oauth_clients set secret_hash = ? where id = ?', [secretHash, id]);
}

/** No secret has this hash. */
const noSecretHash = '0'.repeat(64);

/**
 * Makes the secrets of clients that a person created useless, and ends the tokens that the clients got for themselves.
 * Returns the IDs of these clients.
 */
export async function revokeSecretsBy(
  tx: Writer,
  { accountId, creatorId }: { readonly accountId: string; readonly creatorId: string },
): Promise<string[]> {
  const clients = await tx.run<{ id: string }>(
    `update oauth_clients set secret_hash = ?
      where account_id = ? and created_by = ? and secret_hash is not null returning id`,
    [noSecretHash, accountId, creatorId],
  );
  for (const { id } of clients) {
    await tx.run("delete from oauth_tokens where client_id = ? and model = 'ClientCredentials'", [id]);
  }
  return clients.map(({ id }) => id);
}

/** Deletes a client and all that was issued to it. Its grants are revoked apart. */
export async function deleteOauthClientRow(tx: Writer, id: string): Promise<void> {
  await tx.run('delete from oauth_tokens where client_id = ?', [id]);
  await tx.run('delete from oauth_clients where id = ?', [id]);
}
