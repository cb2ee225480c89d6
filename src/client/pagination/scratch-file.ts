import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A file without a name, for what does not fit into memory: it goes with the process, however that ends. */
export interface ScratchFile extends Disposable {
  write(data: NodeJS.ArrayBufferView, position: number): void;
  /** Fills all of `data` with what lies there. */
  read(data: NodeJS.ArrayBufferView, position: number): void;
}

/** The file is made in a folder of its own, readable by its owner alone. */
export function openScratchFile(folder: string): ScratchFile {
  const own = mkdtempSync(join(folder, 'salon-scratch-'));
  const descriptor = openSync(join(own, 'scratch'), 'wx+', 0o600);
  removeFolder(own);
  return {
    write(data, position) {
      for (let done = 0; done < data.byteLength; ) {
        done += writeSync(descriptor, data, done, data.byteLength - done, position + done);
      }
    },
    read(data, position) {
      for (let done = 0; done < data.byteLength; ) {
        const got = readSync(descriptor, data, done, data.byteLength - done, position + done);
        if (got === 0) throw new RangeError('A temporary file has become shorter.');
        done += got;
      }
    },
    [Symbol.dispose]() {
      closeSync(descriptor);
      removeFolder(own);
    },
  };
}

/** Windows keeps the name of an open file; there this succeeds once it is closed. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It is tried again when the file is closed.
  }
}
