import type { SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/json-object.ts';
import { describeContradiction } from '../../client/pagination/consistency.ts';
import { toFilterParameters } from '../../client/pagination/list-query.ts';
import { keyOf } from '../../client/pagination/page.ts';
import { takeFirst } from '../../client/pagination/paginate.ts';
import { describePerson, readPerson } from '../../client/references/person.ts';
import { openTempDatabase } from '../../client/temp-database.ts';
import { SalonError } from '../../contract/errors.ts';
import { normalisePhone } from '../../contract/formats.ts';
import { toIdText } from '../../contract/identifiers.ts';
import { pageSizes } from '../../contract/limits.ts';
import type { Phones } from '../../text/phone-reader.ts';
import { foldText, toNameKey } from '../../text/search-text.ts';
import { toMatchKey } from '../input/edit-fields.ts';
import type { ExistingPerson } from './plan-format.ts';

const schema = `
  CREATE TABLE wanted (key TEXT, same TEXT, row INTEGER, line INTEGER, name TEXT, birthday TEXT);
  CREATE TABLE found (row INTEGER, same TEXT, id TEXT, who TEXT);`;

/** Requests for one row, at most: by email address, phone number in both its forms, and name. */
const lookupsPerRow = 8;
/** Statuses of servers that refuse a list or filter. */
const refusals = [400, 403, 404, 405, 422];

export function openExistingPeople(client: SalonClient, phones?: Phones) {
  const database = openTempDatabase(schema);
  const want = database.prepare('INSERT INTO wanted VALUES (?, ?, ?, ?, ?, ?)');
  const keep = database.prepare('INSERT INTO found VALUES (?, ?, ?, ?)');
  // A row with the same name comes before one of another person, such as a husband with the same phone.
  const findSame = database.prepare(`
    SELECT same, id, who, NULL AS line, NULL AS differs FROM found WHERE row = :row UNION ALL
    SELECT other.same, NULL, NULL, other.line, NULL FROM wanted AS own JOIN wanted AS other USING (key, name)
    WHERE own.row = :row AND other.row < own.row AND (own.same = 'email' OR own.same = 'phone' AND own.name <> '')
      AND (own.birthday = '' OR other.birthday IN ('', own.birthday)) UNION ALL
    SELECT other.same, NULL, NULL, other.line, CASE WHEN own.same = 'name and birthday' THEN 'phone or email'
      WHEN own.name = other.name AND own.name <> '' THEN 'birthday' ELSE 'name' END
    FROM wanted AS own JOIN wanted AS other USING (key) WHERE own.row = :row AND other.row < own.row LIMIT 1`);
  let rows = 0;

  function addRecords(records: readonly Fields[]): void {
    const select = database.prepare('SELECT row, same FROM wanted WHERE key = ?');
    for (const record of records) {
      for (const [, key] of keysOf(record, phones)) {
        for (const { row, same } of select.all(key)) {
          const person = readPerson(record);
          keep.run(Number(row), String(same), keyOf(record), person ? describePerson(person) : keyOf(record));
        }
      }
    }
  }

  /** Returns why it may have missed some, as a sentence; undefined if it read all. */
  async function readPages(): Promise<string | undefined> {
    const first = await takeFirst(client.clients.list(undefined, { limit: pageSizes.max }));
    const { rows: firstRows = [], total, version } = first ?? {};
    addRecords(firstRows);
    if (firstRows.length === total || firstRows.length === 0) return undefined;
    // Only the search of our own service is known to find everybody, and only that service sends versions.
    const isOwnService = version !== undefined;
    if (isOwnService && total !== undefined && rows * lookupsPerRow < total / firstRows.length)
      return lookUp();
    const list = client.clients.list();
    for await (const page of list) addRecords(page.rows);
    return describeContradiction(list.consistency(), 'clients');
  }

  async function lookUp(): Promise<undefined> {
    const dialect = client.dialect();
    for (const { key } of database.prepare('SELECT DISTINCT key FROM wanted').all()) {
      const [kind = '', value = ''] = String(key).split(/:(.*)/s);
      const filter = kind === 'name' ? 'q' : kind;
      for (const text of toSearchTexts(kind, value)) {
        const parameters = toFilterParameters({ [filter]: text }, dialect);
        const found = await takeFirst(client.clients.list(undefined, { parameters, limit: pageSizes.max }));
        addRecords(found?.rows ?? []);
      }
    }
  }

  return {
    /** Rows come in ascending order, before `search`. */
    add({ row, line, fields }: { readonly row: number; readonly line: number; readonly fields: Fields }) {
      rows += 1;
      const name = toNameKey(`${fields['first_name'] ?? ''} ${fields['last_name'] ?? ''}`);
      const birthday = String(fields['birthday'] ?? '');
      for (const [same, key] of keysOf(fields, phones)) want.run(key, same, row, line, name, birthday);
    },
    /** Searches the clients of the server. Returns why some may have been missed, as a sentence; undefined if none was. */
    async search() {
      database.exec(`CREATE INDEX wanted_by_row ON wanted (row); CREATE INDEX wanted_by_key ON wanted (key, row);
        CREATE INDEX wanted_by_name ON wanted (key, name, row); CREATE INDEX found_by_row ON found (row)`);
      try {
        return await readPages();
      } catch (thrown) {
        // A key that may not list clients can still add them, and so can one of a server that has no list.
        const isRefused = thrown instanceof SalonError && refusals.includes(thrown.status ?? 0);
        if (!isRefused) throw thrown;
        return thrown.message;
      }
    },
    /** The client that a row names, or an earlier row of the same person. Call it after `search`. */
    find: (row: number) => findSame.get({ row }) as unknown as ExistingPerson | undefined,
    [Symbol.dispose]: () => database.close(),
  };
}

/** Finds the new clients of a sheet that the server, or an earlier row, already has. */
export type ExistingPeople = ReturnType<typeof openExistingPeople>;

/** How a key may be stored: a phone number with a `+`, with a zero or with neither. */
function toSearchTexts(kind: string, value: string): readonly string[] {
  if (kind === 'name') return [value.split('\n').slice(0, 2).join(' ')];
  return kind === 'phone' ? [`+${value}`, `0${value}`, value] : [value];
}

/** The digits of a phone number as dialled from abroad, or those it has: spreadsheet programs remove `+` and leading zeros. */
function toPhoneKey(phone: unknown, phones: Phones | undefined): string | undefined {
  const text = toIdText(phone)?.trim() ?? '';
  const { number } = phones?.read(text) ?? {};
  return (number ?? normalisePhone(text)).replace(/^[+0]+/, '') || undefined;
}

function keysOf(
  fields: Fields,
  phones: Phones | undefined,
): readonly (readonly [same: ExistingPerson['same'], key: string])[] {
  const email = toMatchKey('email', fields['email']);
  const phone = toPhoneKey(fields['phone'], phones);
  const names = ['first_name', 'last_name'].map((name) => foldText(String(fields[name] ?? '')));
  const birthday = fields['birthday'];
  const hasName = names.every((name) => name !== '') && typeof birthday === 'string' && birthday !== '';
  return [
    ...(email === undefined ? [] : [['email', `email:${email}`] as const]),
    ...(phone === undefined ? [] : [['phone', `phone:${phone}`] as const]),
    ...(hasName ? [['name and birthday', `name:${[...names, birthday].join('\n')}`] as const] : []),
  ];
}
