import type { SheetForm } from '../sheet/sheet-form.ts';

/** What is to be done to the records that a sheet names. */
export interface Edit {
  readonly noun: 'clients' | 'appointments';
  readonly verb: 'create' | 'update' | 'delete';
  /** Field by which a row finds its record; `id` unless said otherwise. Creates look for none. */
  readonly match: string;
  /** Whether a removal cancels what is upcoming. */
  readonly force: boolean;
}

/** Where the rows came from. */
export interface EditSource {
  /** As people know it: a file's name, or `standard input`. */
  readonly name: string;
  readonly sha256: string;
  readonly form: SheetForm;
}

/** For whom a plan was made: it is carried out for nobody else. */
export interface EditAccount {
  readonly origin: string;
  readonly account: string | null;
}
