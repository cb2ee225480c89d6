import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'rolldown';
import { packagedFiles } from '../src/packaged-files.ts';

/** A package whose code or files are in what is published. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, as the package states it. */
  readonly license: string;
  /** The texts of its licence and notice files. */
  readonly notices: readonly string[];
}

/** The packages in some bundles and among the packaged files, by name. Throws for one that states no licence. */
export async function findBundledPackages(bundles: readonly BuildOptions[]): Promise<BundledPackage[]> {
  const outputs = await Promise.all(bundles.map((bundle) => build({ ...bundle, write: false })));
  const modules = outputs.flatMap(({ output }) =>
    output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : [])),
  );
  const folders = [...modules, ...Object.values(packagedFiles)].flatMap(
    (path) => /.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? [],
  );
  const found = new Map<string, BundledPackage>();
  for (const folder of new Set(folders)) {
    const one = readPackage(folder);
    found.set(`${one.name}@${one.version}`, one);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** Reads what a folder with an installed package says of its licence. Throws if it says nothing. */
export function readPackage(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} ${version} states no licence.`);
  const notices = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return { name, version, license, notices };
}
