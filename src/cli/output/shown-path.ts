import { isAbsolute, relative } from 'node:path';

/** A path as somebody would type it here: relative below the working folder, else whole. */
export function toShownPath(path: string, cwd: string): string {
  const shown = relative(cwd, path);
  return shown.startsWith('..') || isAbsolute(shown) ? path : shown;
}
