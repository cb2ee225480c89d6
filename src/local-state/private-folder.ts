import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder, with its parents, that only its owner may enter. Node's recursive mkdir never returns where a
 * parent answers ENOENT to every mkdir, as /proc does.
 */
export function createPrivateFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    createPrivateFolder(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
}
