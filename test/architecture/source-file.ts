import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file as the rules see it: its path from the root with forward slashes, and what stands in it. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** A rule of the house: the files in, one sentence for each place that breaks it out. */
export type Rule = (files: readonly SourceFile[]) => string[];

/** Reads the files of a checkout that match, in the order of their paths. */
export function readSourceFiles(root: string, patterns: readonly string[]): SourceFile[] {
  return globSync([...patterns], { cwd: root })
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(root, path), 'utf8') }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}
