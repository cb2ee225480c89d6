import { SalonError } from '../../contract/errors.ts';
import { isJsonNumber, parseJson } from '../../text/json.ts';
import { type Fields, isFields } from '../json-object.ts';
import type { DialectSource } from './dialect.ts';
import { fieldsOfRecord } from './setting-rules.ts';

const referenceFields = ['client_id', 'stylist_id', 'preferred_stylist_id', 'appointment_id'];

/**
 * What the records of a server show of the forms that its dialect does not declare: names and words, as profiles of
 * earlier versions have none, and whether references are numbers.
 */
export type ServerForms = ReturnType<typeof createServerForms>;

/** Rows that show all names: a server may leave out fields without a value. */
const enoughRows = 100;

export function createServerForms(dialect: DialectSource, listClients: () => Pages) {
  const pages = new Map<string, Promise<readonly unknown[]>>();
  const looked = new Map<string, number>();
  return { learn, learnRecord, settle, apply };

  /** Finds the names of a resource in rows of a page, as the server sends them. A name that was found stays. */
  async function learn(plural: string, rows: readonly unknown[]): Promise<void> {
    const before = looked.get(plural) ?? 0;
    if (rows.length === 0 || before >= enoughRows || isDeclared(plural)) return;
    looked.set(plural, before + rows.length);
    await learnRecord(plural, ...rows);
    if (plural !== 'appointments' || Object.keys(dialect.current().statuses).length > 0) return;
    const { findStatusWords } = await import('./record-names.ts');
    const { statuses, ...found } = dialect.found();
    dialect.find({ ...found, statuses: { ...findStatusWords(rows), ...statuses } });
  }

  /** Of one record, only the names of its fields count. */
  async function learnRecord(plural: string, ...records: readonly unknown[]): Promise<void> {
    if (isDeclared(plural)) return;
    const { findFieldNames } = await import('./record-names.ts');
    const { fields, ...found } = dialect.found();
    const names = { ...findFieldNames(plural, records), ...fields?.[plural] };
    dialect.find({ ...found, fields: { ...fields, [plural]: names } });
  }

  function isDeclared(plural: string): boolean {
    return Object.hasOwn(dialect.current().fields, plural);
  }

  /** Looks at the list before a write that needs the server's names, unless it was read before. */
  async function settle(plural: string, list: Pages): Promise<void> {
    if (isDeclared(plural) || looked.has(plural) || fieldsOfRecord(plural).length === 0) return;
    await readFirst(plural, list);
  }

  /**
   * The fields of a write in the server's form. Where that is not declared, the first page of the list shows it, or that of
   * the clients. Throws `usage` where nothing does.
   */
  async function apply(plural: string, fields: Fields, list: Pages): Promise<Fields> {
    const numerals = Object.entries(fields).filter(
      ([name, value]) => referenceFields.includes(name) && /^(?:0|[1-9]\d*)$/.test(String(value)),
    );
    const { numericIds } = dialect.current();
    if (numerals.length === 0 || numericIds === false) return fields;
    const rows = (numericIds === null ? await readEither(plural, list) : []).filter(isFields);
    if (numericIds === null && rows.length === 0) throw notDeclared();
    const isNumber = (name: string) =>
      numericIds ?? isJsonNumber(rows.find((row) => (row[name] ?? null) !== null)?.[name] ?? rows[0]?.['id']);
    const numbers = numerals.filter(([name]) => isNumber(name));
    return {
      ...fields,
      ...Object.fromEntries(numbers.map(([name, value]) => [name, parseJson(String(value))])),
    };
  }

  async function readEither(plural: string, list: Pages): Promise<readonly unknown[]> {
    const rows = await readFirst(plural, list);
    return rows.length > 0 ? rows : readFirst('clients', listClients());
  }

  function readFirst(plural: string, list: Pages): Promise<readonly unknown[]> {
    const rows = pages.get(plural) ?? readFirstRows(list);
    pages.set(plural, rows);
    return rows;
  }
}

type Pages = AsyncIterable<{ readonly rows: readonly unknown[] }>;

/** A list that cannot be read shows nothing. */
async function readFirstRows(list: Pages): Promise<readonly unknown[]> {
  try {
    for await (const { rows } of list) return rows;
  } catch (thrown) {
    if (!(thrown instanceof SalonError)) throw thrown;
  }
  return [];
}

function notDeclared(): SalonError {
  const message = 'Nothing shows whether this server writes the IDs of its records as numbers.';
  const hint = 'Say so: salon profiles set <profile> numeric_ids true (or false).';
  return new SalonError('usage', message, { hint });
}
