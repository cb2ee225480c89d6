import { writeSync } from 'node:fs';

/**
 * Writes all bytes behind what is there. Handing some kilobytes to the system at once takes a tenth of what a thread
 * would: only flushing is worth waiting for.
 */
export function writeAll(descriptor: number, data: Uint8Array): void {
  for (let done = 0; done < data.length; ) done += writeSync(descriptor, data, done);
}
