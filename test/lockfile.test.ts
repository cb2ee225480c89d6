import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const lockfile = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const locked = Object.entries<LockedPackage>(lockfile.packages).filter(([path]) => path !== '');

/** Whether npm installs a package on this system. */
function isInstalled({ os, cpu, libc }: LockedPackage): boolean {
  const fits = (allowed: readonly string[] | undefined, actual: string) => allowed?.includes(actual) ?? true;
  const isGlibc = !JSON.stringify(process.report.getReport()).includes('musl');
  return fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, isGlibc ? 'glibc' : 'musl');
}

describe('the lockfile', () => {
  it('has a hash for every package that is installed here', () => {
    expect(locked.length).toBeGreaterThan(100);
    const unproven = locked.filter(([, entry]) => entry.integrity === undefined && isInstalled(entry));
    expect(unproven.map(([path]) => path)).toEqual([]);
  });

  it('has a hash for every package that users install', () => {
    const unproven = locked.filter(([, entry]) => entry.integrity === undefined && !entry.dev);
    expect(unproven.map(([path]) => path)).toEqual([]);
  });

  it('names no registry', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});
