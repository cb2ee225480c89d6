import type { Fields } from '../../client/http/decode.ts';

/** The records an edit works on, at the server. What the server refuses is thrown as a SalonError. */
export interface EditedRecords {
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
