import type { EditOperation } from './edit-fields.ts';

/** By what a sheet is checked. */
export interface SheetChecking {
  readonly edit: EditOperation;
  /** Fields beyond the contract's that were seen in the server's own records. */
  readonly knownFields?: Iterable<string> | undefined;
  /** Whether fields that nobody knows are let through. */
  readonly allowNewFields?: boolean | undefined;
  readonly now: Date;
  /** IANA name of the zone that times without one are in. */
  readonly timeZone: string;
  /** Where long lists of keys are kept; the system's folder for temporary files unless said otherwise. */
  readonly spillFolder?: string | undefined;
}
