/** A job ended without being done. */
export interface StoppedEntry {
  readonly type: 'stopped';
  readonly at: string;
  /** Code of the error that ended it, or what else did. */
  readonly code: string;
  readonly message: string;
}

/** A job is done, with all that goes with it. */
export interface DoneEntry {
  readonly type: 'done';
  readonly at: string;
}
