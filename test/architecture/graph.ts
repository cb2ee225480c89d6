import { type Import, readImports } from './imports.ts';
import type { SourceFile } from './source-file.ts';

type Graph = ReadonlyMap<string, readonly Import[]>;

/**
 * Finds rings between neighbours of a folder, types included. A neighbour is a file or a folder: an import from
 * anywhere inside one to anywhere inside another is an arrow between them.
 */
export function findFolderRings(files: readonly SourceFile[]): string[] {
  const arrows = files.flatMap((file) =>
    readImports(file).flatMap(({ file: target }) =>
      target === undefined ? [] : [[file.path, target] as const],
    ),
  );
  const folders = new Set(files.flatMap(({ path }) => parentsOf(path)));
  return [...folders].sort().flatMap((folder) => {
    const neighbours = toNeighbours(folder, arrows);
    const rings = findCycles([...neighbours.keys()], (name) => [...(neighbours.get(name) ?? [])]);
    return rings.map((ring) => `${folder}: ${ring}`);
  });
}

function parentsOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}

/** Which entries of a folder import which others, by their names in the folder. */
function toNeighbours(
  folder: string,
  arrows: readonly (readonly [from: string, to: string])[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const neighbours = new Map<string, Set<string>>();
  const entryOf = (path: string) =>
    path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : undefined;
  for (const [from, to] of arrows) {
    const [one, other] = [entryOf(from), entryOf(to)];
    if (one === undefined || other === undefined || one === other) continue;
    neighbours.set(one, (neighbours.get(one) ?? new Set()).add(other));
  }
  return neighbours;
}

/** Finds cycles by depth-first search, each once, as a path that ends where it starts. */
function findCycles(names: readonly string[], next: (name: string) => readonly string[]): string[] {
  const rings = new Map<string, string>();
  const finished = new Set<string>();
  const path: string[] = [];
  for (const name of names) visit(name);
  return [...rings.values()];

  function visit(name: string): void {
    const start = path.indexOf(name);
    if (start >= 0) {
      const ring = path.slice(start);
      rings.set([...ring].sort().join(), [...ring, name].join(' → '));
    }
    if (start >= 0 || finished.has(name)) return;
    path.push(name);
    for (const following of next(name)) visit(following);
    path.pop();
    finished.add(name);
  }
}

export interface Start {
  /** Files loaded at start-up. */
  readonly entries: readonly string[];
  /** Packages too costly for that, and folders, with a slash at the end. */
  readonly heavy: readonly string[];
}

/** Finds costly packages and folders loaded at start-up, each with its shortest import path; types and `import()` are free. */
export function findHeavyStarts(files: readonly SourceFile[], { entries, heavy }: Start): string[] {
  const graph = toGraph(files);
  const absent = entries.filter((entry) => !graph.has(entry)).map((entry) => `${entry} does not exist`);
  const paths = new Map<string, readonly string[]>(entries.map((entry) => [entry, [entry]]));
  const found: string[] = [];
  // A Map also iterates entries added meanwhile: breadth first, so the first path found is the shortest.
  for (const [path, way] of paths) {
    for (const taken of graph.get(path) ?? []) {
      if (taken.kind !== 'static') continue;
      const target = taken.package ?? taken.file ?? '';
      if (heavy.some((name) => target === name || (name.endsWith('/') && target.startsWith(name)))) {
        found.push([...way, target].join(' → '));
      } else if (taken.file !== undefined && !paths.has(taken.file)) {
        paths.set(taken.file, [...way, taken.file]);
      }
    }
  }
  return [...absent, ...found];
}

function toGraph(files: readonly SourceFile[]): Graph {
  return new Map(files.map((file) => [file.path, readImports(file)]));
}
