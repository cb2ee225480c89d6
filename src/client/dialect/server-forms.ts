import { foldStatus, readStatus } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { isJsonNumber, parseJson } from '../../text/json.ts';
import { type Fields, isFields } from '../json-object.ts';

/** The fields that refer to records of a resource. */
const references: Readonly<Record<string, readonly string[]>> = {
  clients: ['client_id'],
  stylists: ['stylist_id', 'preferred_stylist_id'],
  appointments: ['appointment_id'],
};
const referenceFields = Object.values(references).flat();

/** How a server writes references and statuses, as its records show: `5` for "5", `CANCELED` for "cancelled". */
export type ServerForms = ReturnType<typeof createServerForms>;

export function createServerForms() {
  /** Whether a reference is a number: as in the field, in the ID of what it refers to, or in any `id`. */
  const areNumbers = new Map<string, boolean>();
  const words = new Map<string, string>();
  const readings = new Map<string, Promise<void>>();
  return {
    learn(plural: string, record: unknown): void {
      if (!isFields(record)) return;
      for (const field of ['id', ...(references[plural] ?? [])])
        if (!areNumbers.has(field)) areNumbers.set(field, isJsonNumber(record['id']));
      for (const field of referenceFields) {
        const value = record[field];
        if (value !== undefined && value !== null) areNumbers.set(field, isJsonNumber(value));
      }
      const word = plural === 'appointments' ? String(record['status']) : '';
      const status = foldStatus(word);
      // The contract's own word may come from an earlier write.
      const isNew = (words.get(status) ?? status) === status;
      if (isNew && readStatus(word) === status) words.set(status, word);
    },
    /** The fields of a write in the server's forms. Reads records, once, if none has shown a form. */
    async apply(plural: string, fields: Fields, readRecords: () => AsyncIterable<unknown>): Promise<Fields> {
      const status = plural === 'appointments' ? readStatus(fields['status']) : undefined;
      const numerals = Object.entries(fields).filter(
        ([name, value]) => referenceFields.includes(name) && /^(?:0|[1-9]\d*)$/.test(String(value)),
      );
      const isKnown = () =>
        (status === undefined || words.has(status)) &&
        numerals.every(([name]) => isNumber(name) !== undefined);
      const key = status ?? 'id';
      if (!isKnown() && !readings.has(key)) readings.set(key, readUntil(readRecords, isKnown));
      await readings.get(key);
      const numbers = numerals.filter(([name]) => isNumber(name));
      const own = numbers.map(([name, value]) => [name, parseJson(String(value))]);
      const word = words.get(status ?? '') ?? (fields['status'] === status ? toCase(status) : undefined);
      return { ...fields, ...Object.fromEntries(own), ...(word !== undefined && { status: word }) };
    },
  };

  function isNumber(field: string): boolean | undefined {
    return areNumbers.get(field) ?? areNumbers.get('id');
  }

  /** A word that no record has shown, in capitals if all others are. */
  function toCase(status: string | undefined): string | undefined {
    const areCapitals = words.size > 0 && [...words.values()].every((word) => word === word.toUpperCase());
    return areCapitals ? status?.toUpperCase() : status;
  }
}

/** A list that cannot be read shows nothing. */
async function readUntil(read: () => AsyncIterable<unknown>, isKnown: () => boolean): Promise<void> {
  try {
    for await (const _page of read()) if (isKnown()) return;
  } catch (thrown) {
    if (!(thrown instanceof SalonError)) throw thrown;
  }
}
