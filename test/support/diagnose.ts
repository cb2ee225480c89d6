import { createMachine, type Machine, type RunOptions } from './io.ts';

interface FoundCheck {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly hint: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface Diagnosis {
  readonly exitCode: number;
  readonly checks: readonly FoundCheck[];
  find(name: string): FoundCheck | undefined;
}

/** Runs `salon doctor` on a new machine. */
export async function diagnose(options: RunOptions): Promise<Diagnosis> {
  using machine = createMachine();
  return await diagnoseOn(machine, options);
}

export async function diagnoseOn(machine: Machine, options: RunOptions = {}): Promise<Diagnosis> {
  const { exitCode, stdout } = await machine.salon(['doctor', '--json'], options);
  const checks = JSON.parse(stdout) as FoundCheck[];
  return { exitCode, checks, find: (name) => checks.find(({ check }) => check === name) };
}
