import type { Database } from '../db/database.ts';
import type { Reader, Writer } from '../db/engine.ts';
import { readAccounts } from '../db/identity/accounts.ts';
import {
  readSealedTexts,
  type SealedColumn,
  type SealedText,
  sealedColumns,
  toPurpose,
  writeSealedText,
} from '../db/sealed-columns.ts';
import { readKeyId, type SecretKeys } from '../secrets/secrets.ts';
import { recordByOperator } from './audit.ts';
import type { Environment } from './context.ts';

const { idempotencyAnswer, ...lasting } = sealedColumns;
/** Without saved results, which are deleted after a day: their table is long. */
const lastingColumns: readonly SealedColumn[] = Object.values(lasting);
const columns = [...lastingColumns, idempotencyAnswer];

/** The key of the secrets in a database, and how many need another one. */
export async function readSecretsStatus(reader: Reader, keys: SecretKeys) {
  const ids = keys.listIds();
  const needed = (await readAll(reader, lastingColumns)).map(({ text }) => readKeyId(text) ?? '');
  const unreadable = needed.filter((id) => !ids.includes(id));
  return {
    /** The variable or file that holds the current key. */
    source: keys.source,
    /** ID of the current key; null until there is one. */
    key: ids[0] ?? null,
    secrets: needed.length,
    /** How many need a key that is missing. */
    unreadable: unreadable.length,
    /** IDs of the missing keys. */
    missing_keys: [...new Set(unreadable)],
  };
}

/**
 * Seals every secret with a new key, or with the first one of the environment, and removes the keys that are no longer
 * needed from the file. Secrets whose key is missing stay as they are. A crash at any moment leaves all readable. Returns
 * the status and how many were sealed again.
 */
export async function rotateSecrets(
  { transaction }: Pick<Database, 'transaction'>,
  environment: Environment,
  keys: SecretKeys,
) {
  const resealed = await transaction('service', async (tx) => {
    await lockAllAccounts(tx);
    keys.addKey();
    const [current] = keys.listIds();
    const available = new Set(keys.listIds());
    const sealed = await readAll(tx, columns);
    const outdated = sealed.filter(({ text }) => {
      const id = readKeyId(text) ?? '';
      return id !== current && available.has(id);
    });
    for (const { column, key, owner, text } of outdated) {
      const purpose = toPurpose(column, owner);
      await writeSealedText(tx, column, { key, text: keys.seal(keys.open(text, purpose), purpose) });
    }
    const details = { key: current, resealed: outdated.length };
    const act = { action: 'secrets.rotated', id: null, details } as const;
    await recordByOperator(tx, environment, { accountId: null, ...act });
    return outdated.length;
  });
  // Another transaction, because the first might not be committed; it sees what others have sealed meanwhile.
  return transaction('service', async (tx) => {
    await lockAllAccounts(tx);
    const sealed = await readAll(tx, columns);
    keys.removeUnused(new Set(sealed.map(({ text }) => readKeyId(text) ?? '')));
    return { ...(await readSecretsStatus(tx, keys)), resealed };
  });
}

/** Everything that is sealed belongs to an account or to the service, so nothing is sealed meanwhile. */
async function lockAllAccounts(tx: Writer): Promise<void> {
  for (const { id } of await readAccounts(tx)) await tx.lockAccount(id);
}

async function readAll(reader: Reader, from: readonly SealedColumn[]) {
  const found: (SealedText & { column: SealedColumn })[] = [];
  for (const column of from) {
    for (const text of await readSealedTexts(reader, column)) found.push({ ...text, column });
  }
  return found;
}
