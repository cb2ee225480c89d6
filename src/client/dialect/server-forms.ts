import { foldStatus, readStatus } from '../../contract/appointment.ts';
import { isJsonNumber, parseJson } from '../../contract/json.ts';
import { type Fields, isFields } from '../fields.ts';

/** The fields that refer to records of a resource. */
const references: Readonly<Record<string, readonly string[]>> = {
  clients: ['client_id'],
  stylists: ['stylist_id', 'preferred_stylist_id'],
  appointments: ['appointment_id'],
};

/** How a server writes references and statuses, learnt from its records: `5` for "5", `CANCELED` for "cancelled". */
export interface ServerForms {
  learn(plural: string, record: unknown): void;
  /** The fields of a write in the server's forms. */
  apply(plural: string, fields: Fields): Fields;
}

export function createServerForms(): ServerForms {
  /** Whether a reference is a number. What a record of this server has in the field counts more than its ID. */
  const areNumbers = new Map<string, boolean>();
  const words = new Map<string, string>();
  return {
    learn(plural, record) {
      if (!isFields(record)) return;
      for (const field of references[plural] ?? [])
        if (!areNumbers.has(field)) areNumbers.set(field, isJsonNumber(record['id']));
      for (const field of Object.values(references).flat()) {
        const value = record[field];
        if (value !== undefined && value !== null) areNumbers.set(field, isJsonNumber(value));
      }
      const word = plural === 'appointments' ? String(record['status']) : '';
      if (readStatus(word) === foldStatus(word)) words.set(foldStatus(word), word);
    },
    apply(plural, fields) {
      const toForm = ([name, value]: [string, unknown]) => {
        const isNumber = areNumbers.get(name) === true && /^(?:0|[1-9]\d*)$/.test(String(value));
        if (isNumber) return [name, parseJson(String(value))];
        const isStatus = plural === 'appointments' && name === 'status';
        return [name, (isStatus ? words.get(readStatus(value) ?? '') : undefined) ?? value];
      };
      return Object.fromEntries(Object.entries(fields).map(toForm));
    },
  };
}
