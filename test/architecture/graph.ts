import { type Import, readImports } from './imports.ts';
import type { SourceFile } from './source-file.ts';

type Graph = ReadonlyMap<string, readonly Import[]>;

/** Finds files that lead back to themselves, types included; each ring is told once, as a path. */
export function findRings(files: readonly SourceFile[]): string[] {
  const graph = toGraph(files);
  const rings = new Map<string, string>();
  const finished = new Set<string>();
  const trail: string[] = [];
  for (const path of graph.keys()) visit(path);
  return [...rings.values()];

  function visit(path: string): void {
    const start = trail.indexOf(path);
    if (start >= 0) {
      const ring = trail.slice(start);
      rings.set([...ring].sort().join(), [...ring, path].join(' → '));
    }
    if (start >= 0 || finished.has(path)) return;
    trail.push(path);
    for (const { file } of graph.get(path) ?? []) if (file !== undefined) visit(file);
    trail.pop();
    finished.add(path);
  }
}

export interface Start {
  /** Files that are loaded when the program starts. */
  readonly entries: readonly string[];
  /** Packages too costly for that. */
  readonly heavy: readonly string[];
}

/** Finds costly packages that a start loads, each with the shortest way to it; types and `import()` cost nothing. */
export function findHeavyStarts(files: readonly SourceFile[], { entries, heavy }: Start): string[] {
  const graph = toGraph(files);
  const absent = entries.filter((entry) => !graph.has(entry)).map((entry) => `${entry} does not exist`);
  const ways = new Map<string, readonly string[]>(entries.map((entry) => [entry, [entry]]));
  const found: string[] = [];
  // A Map goes on to what is added while it is walked: breadth first, so that the first way is the shortest.
  for (const [path, way] of ways) {
    for (const taken of graph.get(path) ?? []) {
      if (taken.kind !== 'static') continue;
      if (taken.package !== undefined && heavy.includes(taken.package)) {
        found.push([...way, taken.package].join(' → '));
      }
      if (taken.file !== undefined && !ways.has(taken.file)) ways.set(taken.file, [...way, taken.file]);
    }
  }
  return [...absent, ...found];
}

function toGraph(files: readonly SourceFile[]): Graph {
  return new Map(files.map((file) => [file.path, readImports(file)]));
}
