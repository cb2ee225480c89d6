import { setTimeout } from 'node:timers/promises';

/** Waits until a condition holds. Looks once a millisecond: spinning would take the core from what is waited for. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(1);
}
