import { closeSync, fchmodSync, fstatSync, openSync, statSync } from 'node:fs';
import { toFileFailure, writeAll } from '../../bulk/jobs/file-access.ts';
import { isFields } from '../../client/json-object.ts';
import { SalonError } from '../../contract/errors.ts';
import { tryParseJson } from '../../text/json.ts';
import type { ReceivedWebhook } from './event-intake.ts';

/** A recorded delivery, which can be replayed byte for byte. */
export interface RecordedWebhook {
  readonly received_at: string;
  readonly source: ReceivedWebhook['source'];
  readonly id: string | null;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Opens or creates a recording, readable only by its owner. Throws `output_failed`, also for a pipe: opening one
 * would block until it has a reader.
 */
export function openRecording(path: string) {
  if (attempt(path, () => statSync(path, { throwIfNoEntry: false })?.isFIFO())) {
    throw new SalonError('output_failed', `${path} is a pipe; --record needs a file.`, {
      hint: 'To pipe events to another program: salon webhooks listen -f ndjson | …',
    });
  }
  const file = attempt(path, () => openSync(path, 'a', 0o600));
  // Opening a file that exists keeps its mode. A device such as /dev/null keeps it in any case.
  attempt(path, () => {
    const found = fstatSync(file);
    if (found.isFile() && (found.mode & 0o077) !== 0) fchmodSync(file, 0o600);
  });
  return {
    /** Appends a line. Throws `output_failed`. */
    append({ receivedAt, source, id, type, headers, body }: ReceivedWebhook) {
      const received_at = receivedAt.toISOString();
      const line: RecordedWebhook = { received_at, source, id: id ?? null, type, headers, body };
      attempt(path, () => writeAll(file, Buffer.from(`${JSON.stringify(line)}\n`)));
    },
    [Symbol.dispose]: () => closeSync(file),
  };
}

/** Parses a line of a recording. Throws `usage`, naming the line. */
export function parseRecorded(line: string, place: string): RecordedWebhook {
  const refuse = (reason: string) =>
    new SalonError('usage', `${place} is not a recorded delivery: ${reason}.`, {
      hint: 'Use a file written by "salon webhooks listen --record <file>".',
    });
  const value = tryParseJson(line);
  if (value === undefined) throw refuse('it is not JSON');
  if (typeof value !== 'object' || value === null) throw refuse('it is not an object');
  const { received_at, type, headers, body }: Partial<Record<string, unknown>> = { ...value };
  const areTexts = [received_at, type, body, ...Object.values(Object(headers))].every(
    (one) => typeof one === 'string',
  );
  if (!areTexts || !isFields(headers) || Number.isNaN(Date.parse(String(received_at)))) {
    throw refuse('it needs received_at, type, headers and body');
  }
  return { source: 'delivered', id: null, ...value } as unknown as RecordedWebhook;
}

function attempt<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    throw toFileFailure(path, cause);
  }
}
