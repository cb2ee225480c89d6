import type { SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/json-object.ts';
import { toFilterParameters } from '../../client/pagination/list-query.ts';
import { keyOf } from '../../client/pagination/page.ts';
import { takeFirst } from '../../client/pagination/paginate.ts';
import { describePerson, readPerson } from '../../client/references/person.ts';
import { openTempDatabase } from '../../client/temp-database.ts';
import { SalonError } from '../../contract/errors.ts';
import { pageSizes } from '../../contract/limits.ts';
import { parseJson } from '../../text/json.ts';
import type { Phones } from '../../text/phone-reader.ts';
import type { ExistingPerson } from './plan-format.ts';
import { findMeant, readTraits, type Traits } from './who-is-meant.ts';

/** The record, or the earlier row, that a row means or is like. */
export interface KnownRecord {
  readonly existing: ExistingPerson;
  /** Undefined for an earlier row. */
  readonly record?: Fields | undefined;
}

const schema = `
  CREATE TABLE wanted (key TEXT, row INTEGER, line INTEGER, name TEXT, traits TEXT);
  CREATE TABLE found (row INTEGER, id TEXT, who TEXT, traits TEXT, record TEXT, PRIMARY KEY (row, id));`;

/** Many may share a name or a placeholder for a phone number: who shares more comes first. */
const closeness = `4 * ${shareAny('id', 'externalId', 'email')} + 2 * ${shareAny('name')} + ${shareAny('phone', 'nameAndBirthday')}`;

/** Requests for one row, at most: by email address, phone number in both its forms, and name. */
const lookupsPerRow = 8;
/** Statuses of servers that refuse a list or filter. */
const refusals = [400, 403, 404, 405, 422];

/** `byName`: rows may mean clients of whom they share the name alone. */
export function openExistingPeople(
  client: SalonClient,
  phones?: Phones,
  { byName = false }: { readonly byName?: boolean } = {},
) {
  const database = openTempDatabase(schema);
  const want = database.prepare('INSERT INTO wanted VALUES (?, ?, ?, ?, ?)');
  const keep = database.prepare('INSERT OR IGNORE INTO found VALUES (?, ?, ?, ?, ?)');
  const findRow = database.prepare('SELECT traits FROM wanted WHERE row = ? LIMIT 1');
  const findClients = database.prepare(`SELECT id, who, NULL AS line, other.traits
    FROM found AS other, (SELECT traits FROM wanted WHERE row = ?1 LIMIT 1) AS own WHERE other.row = ?1
    ORDER BY ${closeness} DESC LIMIT 50`);
  const findEarlier = database.prepare(`SELECT NULL AS id, NULL AS who, other.line, other.traits
    FROM wanted AS own JOIN wanted AS other USING (key) WHERE own.row = ? AND other.row < own.row
    ORDER BY ${closeness} DESC, other.row LIMIT 50`);
  const findRecord = database.prepare('SELECT record FROM found WHERE row = ? AND id = ?');
  let rows = 0;
  /** No list can be filtered by them. */
  let hasIds = false;

  function readAll(fields: Fields): Traits {
    const traits = readTraits(fields, phones);
    return byName ? { ...traits, soleName: traits.name } : traits;
  }

  function addRecords(records: readonly Fields[]): void {
    const select = database.prepare('SELECT DISTINCT row FROM wanted WHERE key = ?');
    for (const record of records) {
      const traits = readAll(record);
      const wanting = keysOf(traits).flatMap((key) => select.all(key));
      if (wanting.length === 0) continue;
      const person = readPerson(record);
      const who = person ? describePerson(person) : keyOf(record);
      for (const { row } of wanting)
        keep.run(Number(row), keyOf(record), who, JSON.stringify(traits), JSON.stringify(record));
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
    if (isOwnService && !hasIds && total !== undefined && rows * lookupsPerRow < total / firstRows.length)
      return lookUp();
    const list = client.clients.list();
    for await (const page of list) addRecords(page.rows);
    return undefined;
  }

  async function lookUp(): Promise<undefined> {
    for (const { key } of database.prepare('SELECT DISTINCT key FROM wanted').all()) {
      const [kind = '', value = ''] = String(key).split(/:(.*)/s);
      // A phone number may be stored with a `+`, with a zero or with neither.
      const texts = kind === 'phone' ? [`+${value}`, `0${value}`, value] : value.split('\n', 1);
      for (const text of texts) {
        const filter = { [kind === 'nameAndBirthday' || kind === 'soleName' ? 'q' : kind]: text };
        const parameters = toFilterParameters(filter, client.dialect());
        const found = await takeFirst(client.clients.list(undefined, { parameters, limit: pageSizes.max }));
        addRecords(found?.rows ?? []);
      }
    }
  }

  return {
    /** Rows come in ascending order, before `search`. */
    add({ row, line, fields }: { readonly row: number; readonly line: number; readonly fields: Fields }) {
      rows += 1;
      const traits = readAll(fields);
      hasIds ||= traits.id !== '' || traits.externalId !== '';
      for (const key of keysOf(traits)) want.run(key, row, line, traits.name, JSON.stringify(traits));
    },
    /** Searches the clients of the server. Returns why some may have been missed, as a sentence; undefined if none was. */
    async search() {
      database.exec(
        `CREATE INDEX wanted_by_row ON wanted (row); CREATE INDEX wanted_by_key ON wanted (key, row);`,
      );
      try {
        return await readPages();
      } catch (thrown) {
        // A key that may not list clients can still add them, and so can one of a server that has no list.
        const isRefused = thrown instanceof SalonError && refusals.includes(thrown.status ?? 0);
        if (!isRefused) throw thrown;
        return thrown.message;
      }
    },
    /** Whether `find` may find anybody. Call it after `search`. */
    hasAny: () =>
      database
        .prepare(
          'SELECT 1 FROM found UNION ALL SELECT 1 FROM wanted GROUP BY key HAVING count(*) > 1 LIMIT 1',
        )
        .get() !== undefined,
    /** The client whom a row means or is like, or an earlier row. Call it after `search`. */
    find(row: number): ExistingPerson | undefined {
      const stored = findRow.get(row);
      if (stored === undefined) return undefined;
      const own = readStored(stored);
      const others = [...findClients.all(row), ...findEarlier.all(row)].map(readStored);
      const { same, differs = null, people = [] } = findMeant(own, others) ?? {};
      const [first, ...more] = people.map(({ facts }) => facts);
      if (first === undefined || same === undefined) return undefined;
      const clients = more.flatMap(({ who }) => who ?? []);
      // Who is only likely is one alone.
      const isLikely = byName && ['unclear name', 'all else', 'phone or email'].includes(String(differs));
      if ((differs !== null && !isLikely) || clients.length === 0) return { ...first, same, differs };
      return { ...first, same, differs: 'several', who: [first.who, ...clients].join(' and ') };
    },
    /** The same, with the record. */
    findKnown(row: number): KnownRecord | undefined {
      const existing = this.find(row);
      const stored = existing && findRecord.get(row, existing.id);
      return existing && { existing, record: stored && (parseJson(String(stored['record'])) as Fields) };
    },
    [Symbol.dispose]: () => database.close(),
  };
}

/** Finds the new clients of a sheet that the server, or an earlier row, already has. */
export type ExistingPeople = ReturnType<typeof openExistingPeople>;

/** Whether rows `own` and `other` have a known trait in common, as SQL. */
function shareAny(...traits: readonly (keyof Traits)[]): string {
  const isSame = (trait: string) => `other.traits ->> '${trait}' = nullif(own.traits ->> '${trait}', '')`;
  return `coalesce(${traits.map(isSame).join(' OR ')}, 0)`;
}

/** Who is alike shares one. */
function keysOf({ id, externalId, email, phone, nameAndBirthday, soleName }: Traits): readonly string[] {
  const keys = Object.entries({ id, externalId, email, phone, nameAndBirthday, soleName });
  return keys.flatMap(([kind, value]) => (value === '' ? [] : [`${kind}:${value}`]));
}

function readStored({ traits, ...facts }: Readonly<Record<string, unknown>>) {
  return {
    ...(JSON.parse(String(traits)) as Traits),
    facts: facts as unknown as Omit<ExistingPerson, 'same' | 'differs'>,
  };
}
