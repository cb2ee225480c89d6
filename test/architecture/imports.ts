import { posix } from 'node:path';
import type { SourceFile } from './source-file.ts';
import { splitText } from './split-text.ts';

/** One import of a file. */
export interface Import {
  /** `type` is erased, `lazy` is an `import()`, `static` is loaded with the file; `export … from` is one of these. */
  readonly kind: 'static' | 'type' | 'lazy';
  /** As written. */
  readonly specifier: string;
  /** A file of the project, by its path from the root; undefined where a package is meant. */
  readonly file: string | undefined;
  /** A package by its name, or a built-in module such as `node:fs`; undefined where a file is meant. */
  readonly package: string | undefined;
}

const statement = /^[ \t]*(?:import|export)(\s+type)?\b(?:[^;'"]*\bfrom)?\s*['"]( *)['"]/dgm;
const lazy = /\bimport\(\s*(?:(['"`])( *)\1)?/dg;

/** Every import of a file, in the order they stand. An `import()` of anything but a plain string has the specifier "". */
export function readImports(file: SourceFile): Import[] {
  const { code } = splitText(file.text);
  const erased = file.path.endsWith('.d.ts');
  const found: { at: number; import: Import }[] = [];
  for (const match of code.matchAll(statement)) {
    add(match.indices?.[2], erased || match[1] !== undefined ? 'type' : 'static');
  }
  for (const match of code.matchAll(lazy)) add(match.indices?.[2] ?? [match.index, match.index], 'lazy');
  return found.sort((one, other) => one.at - other.at).map((entry) => entry.import);

  function add(place: readonly [number, number] | undefined, kind: Import['kind']): void {
    if (place === undefined) return;
    const specifier = file.text.slice(...place);
    found.push({ at: place[0], import: { kind, specifier, ...resolve(file.path, specifier) } });
  }
}

function resolve(from: string, specifier: string): Pick<Import, 'file' | 'package'> {
  if (specifier.startsWith('.')) {
    return { file: posix.join(posix.dirname(from), specifier), package: undefined };
  }
  const [scope = '', name = ''] = specifier.split('/');
  if (specifier.startsWith('node:')) return { file: undefined, package: specifier };
  return { file: undefined, package: scope.startsWith('@') ? `${scope}/${name}` : scope };
}
