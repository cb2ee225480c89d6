import type { Reader, Writer } from './engine.ts';
import type { Tables } from './tables.ts';

/** A column whose texts are sealed. A sealed text opens only for `purpose` and its owner's ID. */
export interface SealedColumn {
  readonly table: keyof Tables;
  /** The unique column that finds a row. */
  readonly key: string;
  /** The column with the owner's ID. */
  readonly owner: string;
  readonly column: string;
  readonly purpose: string;
}

/** A text of a sealed column, with its row. */
export interface SealedText {
  readonly key: string | number;
  readonly owner: string;
  readonly text: string;
}

/** Every sealed column; a rotation seals their texts again. */
export const sealedColumns = {
  webhookSecret: {
    ...{ table: 'webhooks', key: 'id', owner: 'id' },
    ...{ column: 'secret', purpose: 'webhook_secret' },
  },
  formerWebhookSecret: {
    ...{ table: 'webhooks', key: 'id', owner: 'id' },
    ...{ column: 'former_secret', purpose: 'webhook_secret' },
  },
  /** Only results that show a secret are sealed. */
  idempotencyAnswer: {
    ...{ table: 'idempotency_keys', key: 'seq', owner: 'key' },
    ...{ column: 'answer', purpose: 'idempotency_answer' },
  },
  totpSecret: {
    ...{ table: 'users', key: 'id', owner: 'id' },
    ...{ column: 'totp_secret', purpose: 'totp' },
  },
} as const satisfies Record<string, SealedColumn>;

/** What a text of a column is sealed for. */
export function toPurpose({ purpose }: SealedColumn, owner: string): string {
  return `${purpose} ${owner}`;
}

/** The texts of a column that are sealed, or those that are not. */
export function readSealedTexts(
  reader: Reader,
  { table, key, owner, column }: SealedColumn,
  { isSealed }: { isSealed: boolean },
): Promise<SealedText[]> {
  return reader.run<SealedText>(
    `select ${key} as key, ${owner} as owner, ${column} as text from ${table}
      where ${column} is not null and ${column} ${isSealed ? '' : 'not'} like 'sealed:%'`,
    [],
  );
}

export async function writeSealedText(
  tx: Writer,
  { table, key: keyColumn, column }: SealedColumn,
  { key, text }: Pick<SealedText, 'key' | 'text'>,
): Promise<void> {
  await tx.run(`update ${table} set ${column} = ? where ${keyColumn} = ?`, [text, key]);
}
