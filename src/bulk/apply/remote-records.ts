import type { SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/http/decode.ts';
import type { Written } from '../../client/resources/record.ts';
import { SalonError } from '../../contract/errors.ts';
import type { CellRules } from '../input/cell-values.ts';
import type { EditOperation } from '../input/edit-fields.ts';

export interface SalonRecordsParts {
  readonly client: SalonClient;
  readonly edit: EditOperation;
  readonly isSameValue: CellRules['isSameValue'];
}

/** The records of one kind at a salon. */
export function createRemoteRecords({ client, edit, isSameValue }: SalonRecordsParts): RemoteRecords {
  const { noun, force } = edit;
  const { clients } = client;
  let tagsAreTimes = false;
  let readsOne = true;

  async function readOne(id: string, { searchesList }: { readonly searchesList: boolean }) {
    try {
      const { record, etag } = await client[noun].getTagged(id, { searchesList });
      // On our own service the tag of a record is the time of its last change, which lists show as well.
      tagsAreTimes ||= etag !== undefined && etag === toTimeTag(record);
      // A weak tag never matches.
      return { record, tag: etag?.startsWith('"') ? etag : undefined };
    } catch (thrown) {
      if (thrown instanceof SalonError && thrown.code === 'not_found') return undefined;
      throw thrown;
    }
  }

  async function tryOne(id: string): Promise<TaggedRecord | undefined> {
    try {
      return await readOne(id, { searchesList: false });
    } catch (thrown) {
      if (!(thrown instanceof SalonError) || thrown.code !== 'not_supported') throw thrown;
      readsOne = false;
      return undefined;
    }
  }

  return {
    async readsOne(id) {
      await tryOne(id);
      return readsOne;
    },
    read: (id) => readOne(id, { searchesList: true }),
    async confirm(id, known) {
      if (tagsAreTimes) return { record: known, tag: toTimeTag(known) };
      const found = readsOne ? await tryOne(id) : undefined;
      return readsOne ? found : { record: known, tag: undefined };
    },
    update: async (id, body, ifMatch) =>
      toWrittenRecord(await clients.update(id, body, { partial: true, ifMatch })),
    create: async (body, idempotencyKey) =>
      toWrittenRecord(await client[noun].create(body, { idempotencyKey })),
    remove: (id, ifMatch) => clients.delete(id, { force, ifMatch }),
    async findLike(body, sinceMs) {
      const found: Fields[] = [];
      for await (const { rows } of client[noun].list({ updated_since: new Date(sinceMs).toISOString() })) {
        found.push(...(rows as readonly Fields[]).filter(isLike));
      }
      return found;

      function isLike(record: Fields): boolean {
        // What only steers the making, such as allow_overlap, is in no record.
        const kept = Object.entries(body).filter(([field]) => field in record);
        return kept.length > 0 && kept.every(([field, value]) => isSameValue(value, record[field], field));
      }
    },
    honoursKeys: () => client.dialect().idempotencyKeys,
  };
}

function toTimeTag({ updated_at }: Fields): string | undefined {
  return typeof updated_at === 'string' ? `"${updated_at}"` : undefined;
}

function toWrittenRecord({ outcome, id, record }: Written<unknown>): WrittenRecord {
  return { isAccepted: outcome === 'accepted', id: id ?? null, record: record as Fields | undefined };
}

/** The records an edit works on, at the server. What the server refuses is thrown as a SalonError. */
export interface RemoteRecords {
  /** Undefined where there is no such record. */
  read(id: string): Promise<TaggedRecord | undefined>;
  /** Whether the server can be asked for single records, such as this one. */
  readsOne(id: string): Promise<boolean>;
  /**
   * A record as it is known, where its tag makes the server watch over that, or where the server reads no single
   * records at all; else as it is now.
   */
  confirm(id: string, known: Fields): Promise<TaggedRecord | undefined>;
  /** Writes the whole record, if it still has the tag. */
  update(id: string, body: Fields, tag: string | undefined): Promise<WrittenRecord>;
  create(body: Fields, key: string): Promise<WrittenRecord>;
  remove(id: string, tag: string | undefined): Promise<void>;
  /** Records made at or after an instant that hold every field of a body. */
  findLike(body: Fields, sinceMs: number): Promise<readonly Fields[]>;
  /** Whether a create that is repeated with its key is known to be carried out only once. */
  honoursKeys(): boolean;
}

export interface TaggedRecord {
  readonly record: Fields;
  /** What the server calls this state of the record; undefined where it has no name for it. */
  readonly tag: string | undefined;
}

export interface WrittenRecord {
  readonly isAccepted: boolean;
  readonly id: string | null;
  /** As the server answered it, if it did. */
  readonly record: Fields | undefined;
}
