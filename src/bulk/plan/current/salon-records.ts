import type { SalonClient } from '../../../client/client.ts';
import type { Fields } from '../../../client/http/decode.ts';
import type { Written } from '../../../client/resources/record.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { CellRules } from '../../edit/cell-rules.ts';
import type { Edit } from '../../edit/edit.ts';
import type { EditedRecords, TaggedRecord, WrittenRecord } from '../../edit/edited-records.ts';

export interface SalonRecordsParts {
  readonly client: SalonClient;
  readonly edit: Edit;
  readonly isSameValue: CellRules['isSameValue'];
}

/** The records of one kind at a salon. */
export function createSalonRecords({ client, edit, isSameValue }: SalonRecordsParts): EditedRecords {
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
