import { readStatus } from '../../client/appointment-status.ts';
import type { SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/json-object.ts';
import { toOriginalTag } from '../../client/resources/collection.ts';
import { findCreated } from '../../client/resources/confirm-write.ts';
import type { Written } from '../../client/resources/response-record.ts';
import { SalonError } from '../../contract/errors.ts';
import { isSameValue } from '../input/cell-values.ts';
import type { EditOperation } from '../input/edit-fields.ts';

export interface TaggedRecord {
  readonly record: Fields;
  /** Undefined if the server sends none. */
  readonly etag: string | undefined;
}

export function createRemoteRecords(client: SalonClient, { noun, force, reason }: EditOperation) {
  let etagsAreTimes = false;
  let readsSingle = true;

  async function read(id: string, { searchesList }: { readonly searchesList: boolean }) {
    try {
      const { record, etag } = await client[noun].getTagged(id, { searchesList });
      // Our service derives the ETag from `updated_at`, which lists contain as well.
      etagsAreTimes ||= etag !== undefined && toOriginalTag(etag) === toTimeTag(record);
      return { record, etag };
    } catch (thrown) {
      if (thrown instanceof SalonError && thrown.code === 'not_found') return undefined;
      throw thrown;
    }
  }

  async function tryRead(id: string): Promise<TaggedRecord | undefined> {
    try {
      return await read(id, { searchesList: false });
    } catch (thrown) {
      if (!(thrown instanceof SalonError) || thrown.code !== 'not_supported') throw thrown;
      readsSingle = false;
      return undefined;
    }
  }

  return {
    /** Whether the server reads single records, tried with this one. */
    async readsSingle(id: string) {
      await tryRead(id);
      return readsSingle;
    },
    /** Undefined if there is no such record. */
    read: (id: string): Promise<TaggedRecord | undefined> => read(id, { searchesList: true }),
    /**
     * The record to write to: as known if its ETag lets the server detect changes, or if the server reads no single
     * records; else the current record.
     */
    async confirm(id: string, known: Fields): Promise<TaggedRecord | undefined> {
      if (etagsAreTimes) return { record: known, etag: toTimeTag(known) };
      const found = readsSingle ? await tryRead(id) : undefined;
      return readsSingle ? found : { record: known, etag: undefined };
    },
    /** Updates a record only if its ETag has not changed since it was read. */
    update: async (id: string, change: Fields, { record: current, etag: ifMatch }: TaggedRecord) =>
      (await client[noun].update(id, change, { current, ifMatch })) as Written<Fields>,
    async create(body: Fields, idempotencyKey: string) {
      const written: Written<object> = await client[noun].create(body, { idempotencyKey, looksUp: false });
      return written as Written<Fields>;
    },
    /** Deletes a client, or cancels an appointment. */
    async delete(id: string, ifMatch: string | undefined) {
      if (noun === 'clients') await client.clients.delete(id, { force, ifMatch });
      else await client.appointments.cancel(id, { reason, ifMatch });
    },
    /** Whether a record is what a delete leaves of it: a cancelled appointment. */
    isGone: ({ status }: Fields) => noun === 'appointments' && readStatus(status) === 'cancelled',
    /** Records that a create, sent at an instant (in ms), may have made. */
    findCreated: (body: Fields, sentAtMs: number) =>
      findCreated((query) => client[noun].list(query), { body, sentAtMs, isSame: isSameValue }),
    /** Whether the server is known to apply a create repeated with its idempotency key only once. */
    honoursKeys: () => client.dialect().idempotencyKeys,
  };
}

/** The server's records that a bulk edit changes. Refusals are thrown as SalonError. */
export type RemoteRecords = ReturnType<typeof createRemoteRecords>;

function toTimeTag({ updated_at }: Fields): string | undefined {
  return typeof updated_at === 'string' ? `"${updated_at}"` : undefined;
}
