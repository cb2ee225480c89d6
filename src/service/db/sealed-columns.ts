import type { Reader, Writer } from './engine.ts';

/** A column whose texts are sealed. A sealed text opens only for `purpose` and its owner's ID. */
export interface SealedColumn {
  readonly table: string;
  /** The columns that identify a row. */
  readonly key: readonly string[];
  /** The column with the owner's ID. */
  readonly owner: string;
  readonly column: string;
  readonly purpose: string;
}

/** A text of a sealed column, with its row. */
export interface SealedText {
  readonly key: readonly string[];
  readonly owner: string;
  readonly text: string;
}

const ofWebhook = { table: 'webhooks', key: ['account_id', 'id'], owner: 'id', purpose: 'webhook_secret' };

/** Every sealed column; a rotation seals their texts again. */
export const sealedColumns = {
  webhookSecret: { ...ofWebhook, column: 'secret' },
  formerWebhookSecret: { ...ofWebhook, column: 'former_secret' },
  /** Only results that show a secret are sealed. */
  idempotencyAnswer: {
    ...{ table: 'idempotency_keys', key: ['account_id', 'key'], owner: 'key' },
    ...{ column: 'answer', purpose: 'idempotency_answer' },
  },
  totpSecret: { table: 'users', key: ['id'], owner: 'id', column: 'totp_secret', purpose: 'totp' },
} as const satisfies Record<string, SealedColumn>;

/** What a text of a column is sealed for. */
export function toPurpose({ purpose }: SealedColumn, owner: string): string {
  return `${purpose} ${owner}`;
}

/** The texts of a column that are sealed. */
export async function readSealedTexts(
  reader: Reader,
  { table, key, owner, column }: SealedColumn,
): Promise<SealedText[]> {
  const text = `select ${[...new Set([...key, owner, column])].join(', ')} from ${table}
    where ${column} is not null and ${column} like 'sealed:%'`;
  const rows = await reader.run<Record<string, string>>(text, []);
  return rows.map((row) => ({
    key: key.map((name) => String(row[name])),
    owner: String(row[owner]),
    text: String(row[column]),
  }));
}

export async function writeSealedText(
  tx: Writer,
  { table, key: keyColumns, column }: SealedColumn,
  { key, text }: Pick<SealedText, 'key' | 'text'>,
): Promise<void> {
  const isRow = keyColumns.map((name) => `${name} = ?`).join(' and ');
  await tx.run(`update ${table} set ${column} = ? where ${isRow}`, [text, ...key]);
}
