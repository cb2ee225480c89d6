import { SalonError } from '../../../contract/errors.ts';
import { readResultCode } from './errors.ts';

/** Stops writing for a while after the disk has failed. Reads continue. */
export interface WriteRefusals {
  /** Throws `service_unavailable` while nothing is written. */
  admit(): void;
  /** Notes what a transaction has failed with. */
  note(error: unknown): void;
}

// Primary result codes. Source: sqlite.org/rescode.html
const ioError = 10;
const lasting = new Set([11, 26]);
const passing = new Set([8, ioError, 13]);

/** One attempt a second finds out whether the disk has space again. */
const pauseMs = 1000;

/**
 * After an error of the disk, what was confirmed before must be safe before anything else is: `secure` moves the log into
 * the database file and waits for the disk, and throws if that fails. A damaged database takes no changes until it is
 * opened again.
 */
export function createWriteRefusals(secure: () => void, nowMs = () => performance.now()): WriteRefusals {
  let refusal: { readonly error: unknown; readonly untilMs: number; readonly isUnsafe: boolean } | undefined;

  function note(error: unknown): void {
    const cause = error instanceof SalonError ? error.cause : error;
    const code = (readResultCode(cause) ?? 0) & 0xff;
    // What was refused has told nothing new about the disk.
    if (error === refusal?.error) return;
    if (lasting.has(code)) refusal = { error, untilMs: Number.POSITIVE_INFINITY, isUnsafe: true };
    if (!passing.has(code) || refusal?.untilMs === Number.POSITIVE_INFINITY) return;
    const isUnsafe = code === ioError || refusal?.isUnsafe === true;
    refusal = { error, untilMs: nowMs() + pauseMs, isUnsafe };
  }

  return {
    note,
    admit() {
      if (refusal === undefined) return;
      if (nowMs() < refusal.untilMs) throw refusal.error;
      try {
        if (refusal.isUnsafe) secure();
      } catch (error) {
        note(error);
        throw error;
      }
      refusal = undefined;
    },
  };
}
