import { SalonError } from '../../contract/errors.ts';
import { isJsonNumber, parseJson } from '../../text/json.ts';
import { type Fields, isFields } from '../json-object.ts';
import type { Dialect } from './dialect.ts';

const referenceFields = ['client_id', 'stylist_id', 'preferred_stylist_id', 'appointment_id'];

/** The form of references in writes: the number 5 for "5", where the server numbers its records. */
export type ServerForms = ReturnType<typeof createServerForms>;

export function createServerForms(dialect: () => Pick<Dialect, 'numericIds'>, listClients: () => Pages) {
  const pages = new Map<string, Promise<readonly unknown[]>>();
  return {
    /**
     * The fields of a write in the server's form. Where that is not declared, the first page of the list shows it, or that of
     * the clients. Throws `usage` where nothing does.
     */
    async apply(plural: string, fields: Fields, list: Pages): Promise<Fields> {
      const numerals = Object.entries(fields).filter(
        ([name, value]) => referenceFields.includes(name) && /^(?:0|[1-9]\d*)$/.test(String(value)),
      );
      const { numericIds } = dialect();
      if (numerals.length === 0 || numericIds === false) return fields;
      if (numericIds === null && !pages.has(plural)) pages.set(plural, readEither(list));
      const rows = ((await pages.get(plural)) ?? []).filter(isFields);
      if (numericIds === null && rows.length === 0) throw notDeclared();
      const isNumber = (name: string) =>
        numericIds ??
        isJsonNumber(rows.find((row) => (row[name] ?? null) !== null)?.[name] ?? rows[0]?.['id']);
      const numbers = numerals.filter(([name]) => isNumber(name));
      return {
        ...fields,
        ...Object.fromEntries(numbers.map(([name, value]) => [name, parseJson(String(value))])),
      };
    },
  };

  async function readEither(list: Pages): Promise<readonly unknown[]> {
    const rows = await readFirstRows(list);
    return rows.length > 0 ? rows : readFirstRows(listClients());
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
