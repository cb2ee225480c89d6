import { exactNumber } from './exact-json.ts';

export type Row = Readonly<Record<string, unknown>>;

/** The clients of a stub: the truth that every answer is compared with. */
export interface ClientStore {
  /** In the order of the list without a sort. No row is ever changed in place. */
  all(): readonly Row[];
  find(id: string): Row | undefined;
  /** Adds a record with a new ID and the times of its creation. */
  add(fields: Row): Row;
  /** Puts a changed record in its place; an unknown ID is an error of the stub. */
  replace(id: string, row: Row): Row;
  /** Puts a changed record at the end, as a table without an order does. */
  replaceAtEnd(id: string, row: Row): Row;
  remove(id: string): boolean;
}

export interface StoreOptions {
  readonly count: number;
  readonly idKey?: string;
  /** The ID of the record with a number from 1. */
  readonly toId?: ((number: number) => unknown) | undefined;
  /** The record of a person, without its ID. */
  readonly toRow?: (person: Row, number: number) => Row;
}

export function createClientStore({
  count,
  idKey = 'id',
  toId = (number) => number,
  toRow = (person) => person,
}: StoreOptions): ClientStore {
  const rows = new Map<string, Row>();
  let created = 0;
  const add = (fields: Row) => {
    created += 1;
    const id = toId(created);
    const row = { [idKey]: id, ...fields };
    rows.set(String(id), row);
    return row;
  };
  for (let number = 1; number <= count; number += 1) add(toRow(toPerson(number), number));
  return {
    all: () => [...rows.values()],
    find: (id) => rows.get(id),
    add,
    replace(id, row) {
      if (!rows.has(id)) throw new Error(`No record ${id}`);
      rows.set(id, row);
      return row;
    },
    replaceAtEnd(id, row) {
      rows.delete(id);
      rows.set(id, row);
      return row;
    },
    remove: (id) => rows.delete(id),
  };
}

const firstNames = ['Ana', 'Łukasz', 'Zoë', '美咲', 'Émile', "D'Arcy", 'José', 'Ingrid'];
const lastNames = ['García', 'Müller', 'O’Neill', 'Świątek', '田中', 'Nguyễn', 'Smith'];

/** A person with the contract's fields, one unknown field, empty ones, and numbers beyond what JavaScript holds. */
export function toPerson(number: number): Row {
  const first = firstNames[number % firstNames.length] ?? '';
  const last = lastNames[number % lastNames.length] ?? '';
  return {
    first_name: first,
    last_name: last,
    email: number % 9 === 0 ? null : `client${number}@example.com`,
    phone: number % 4 === 0 ? null : `+4930${String(1_000_000 + number)}`,
    notes: number % 5 === 0 ? `Prefers “evenings”, room ${number}` : null,
    loyalty_number: number % 3 === 0 ? exactNumber('9007199254740993') : number,
    balance: exactNumber(number % 2 === 0 ? '1234567890123456.78' : '12.50'),
    created_at: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
    updated_at: new Date(Date.UTC(2026, 1, 1, 0, number)).toISOString(),
  };
}
