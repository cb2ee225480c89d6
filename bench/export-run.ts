import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A program that exports a list. */
export interface Exporter {
  readonly name: string;
  /** What a shell runs so that the export is in a file afterwards. */
  toCommand(file: string): string;
}

/** What one run took, as a whole process. */
export interface Cost {
  readonly wallMs: number;
  /** Of all processors together. */
  readonly busyMs: number;
  readonly peakMib: number;
}

/** Seconds in the program and in the system, and KiB at most: told of any program, not of Node alone. */
const told = /^([\d.]+) ([\d.]+) (\d+)\n$/m;

/** Runs an exporter and answers what it took. Throws when it fails, and where there is no GNU time to ask. */
export async function runExporter(
  { name, toCommand }: Exporter,
  { file, env }: { readonly file: string; readonly env: Readonly<Record<string, string>> },
): Promise<Cost> {
  const args = ['-f', '%U %S %M', 'sh', '-c', `exec ${toCommand(file)}`];
  const startedAt = performance.now();
  const child = spawn('time', args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  const wallMs = performance.now() - startedAt;
  const [, user, system, peakKib] = told.exec(said) ?? [];
  if (code !== 0 || peakKib === undefined) throw new Error(`${name} ended with ${code}: ${said.trim()}`);
  return { wallMs, busyMs: (Number(user) + Number(system)) * 1000, peakMib: Number(peakKib) / 1024 };
}
