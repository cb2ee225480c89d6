import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A program that exports a list. */
export interface Exporter {
  readonly name: string;
  /** The shell command that exports to a file. */
  toCommand(file: string): string;
}

/** The cost of one whole process. */
export interface Cost {
  readonly wallMs: number;
  /** CPU time of all cores. */
  readonly busyMs: number;
  readonly peakMib: number;
}

/** User and system seconds and peak KiB, as GNU time prints them for any program. */
const told = /^([\d.]+) ([\d.]+) (\d+)\n$/m;

/** Runs an exporter and returns its cost. Throws if it fails or GNU time is missing. */
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
