import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const start = 'src/cli/run.ts';
/** Loads the commands right below `salon`, each when it is named. */
const program = 'src/cli/program.ts';

/**
 * The files of the commands right below `salon`, and behind the start those that several of them import. The small
 * files of flags count as such: some are also needed later, and each would become a file of its own.
 */
export async function findCommandFiles(): Promise<{ commands: string[]; shared: string[] }> {
  const imports = [...readFileSync(program, 'utf8').matchAll(/import\('(\.[^']+)'\)/g)];
  const commands = imports.map(([, path = '']) => join('src/cli', path));
  const { metafile } = await build({
    entryPoints: [start],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outdir: 'dist',
    write: false,
    metafile: true,
  });
  const addImports = (file: string, found: Set<string>): Set<string> => {
    if (found.has(file)) return found;
    found.add(file);
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) addImports(path, found);
    }
    return found;
  };
  const started = addImports(start, new Set());
  const uses = new Map<string, number>();
  for (const file of commands.flatMap((command) => [...addImports(command, new Set())])) {
    uses.set(file, (uses.get(file) ?? 0) + 1);
  }
  const shared = [...uses]
    .filter(([file, count]) => (count > 1 || file.startsWith('src/cli/flags/')) && !started.has(file))
    .map(([file]) => file);
  return { commands, shared };
}
