import type { RemoteRecords } from '../../src/bulk/apply/remote-records.ts';
import type { Fields } from '../../src/client/json-object.ts';
import { toFullRecord } from '../../src/client/resources/update-record.ts';
import { SalonError } from '../../src/contract/errors.ts';
import { createCounter } from './counter.ts';

/** An in-memory server that counts requests and can lose its caller at any moment. */
export interface EditedSalon {
  readonly records: RemoteRecords;
  readonly held: Map<string, Fields>;
  /** The bodies of all writes, by record or key. */
  readonly writes: Map<string, Fields[]>;
  /** Changes a record as another user. */
  change(id: string, change: Fields): void;
  /** From now on the caller disappears before or after a request is applied, as `moment` decides. */
  loseCaller(moment: () => 'before' | 'after' | 'not yet'): void;
  /** Starts a new process. */
  welcome(): void;
  readonly isGone: () => boolean;
}

export class CallerGone extends Error {}

export function createEditedSalon({
  rows,
  namesTags,
  honoursKeys,
}: {
  readonly rows: readonly Fields[];
  readonly namesTags: boolean;
  readonly honoursKeys: boolean;
}): EditedSalon {
  const held = new Map(rows.map((row) => [String(row['id']), { updated_at: 0, ...row } as Fields]));
  const writes = new Map<string, Fields[]>();
  const answers = new Map<string, string>();
  let moment: () => 'before' | 'after' | 'not yet' = () => 'not yet';
  let isGone = false;
  const nextNumber = createCounter();

  const tagOf = (record: Fields) => (namesTags ? `"${record['updated_at']}"` : undefined);

  /** Applies a request unless its caller is lost before it; returns the response unless the caller is lost after it. */
  async function serve<Result>(act: () => Result): Promise<Result> {
    await Promise.resolve();
    const when = moment();
    if (isGone || when === 'before') throw lose();
    const result = act();
    if (when === 'after') throw lose();
    return result;
  }

  function lose(): CallerGone {
    isGone = true;
    return new CallerGone('The caller is gone.');
  }

  function store(id: string, change: Fields): Fields {
    const present = held.get(id);
    const next = { ...present, ...change, id, updated_at: Number(present?.['updated_at'] ?? 0) + 1 };
    held.set(id, next);
    return next;
  }

  function toDone(id: string, record: Fields | undefined) {
    return { outcome: 'done', id, record, etag: undefined } as const;
  }

  function count(name: string, body: Fields): void {
    writes.set(name, [...(writes.get(name) ?? []), body]);
  }

  function assertTag(id: string, tag: string | undefined): void {
    const present = held.get(id);
    if (present === undefined) throw new SalonError('not_found', `There is no ${id}.`);
    if (tag !== undefined && tag !== tagOf(present)) throw new SalonError('precondition_failed', 'Changed.');
  }

  const records: RemoteRecords = {
    read: (id) =>
      serve(() => {
        const record = held.get(id);
        return record === undefined ? undefined : { record, etag: tagOf(record) };
      }),
    readsSingle: async () => true,
    isGone: () => false,
    confirm: (id, planned) =>
      namesTags ? Promise.resolve({ record: planned, etag: tagOf(planned) }) : records.read(id),
    update: (id, change, { record, etag }) =>
      serve(() => {
        assertTag(id, etag);
        const body = toFullRecord(record, change);
        count(id, body);
        return toDone(id, store(id, body));
      }),
    create: (body, key) =>
      serve(() => {
        const known = honoursKeys ? answers.get(key) : undefined;
        if (known !== undefined) return toDone(known, held.get(known));
        const id = `new_${nextNumber()}`;
        answers.set(key, id);
        count(key, body);
        return toDone(id, store(id, body));
      }),
    delete: (id, tag) =>
      serve(() => {
        assertTag(id, tag);
        count(id, {});
        held.delete(id);
      }),
    findCreated: (body) =>
      serve(() =>
        [...held.values()].filter((record) =>
          Object.entries(body).every(([name, value]) => record[name] === value),
        ),
      ),
    honoursKeys: () => honoursKeys,
  };

  return {
    records,
    held,
    writes,
    change: (id, change) => void store(id, change),
    loseCaller: (next) => {
      moment = next;
    },
    welcome: () => {
      isGone = false;
      moment = () => 'not yet';
    },
    isGone: () => isGone,
  };
}
