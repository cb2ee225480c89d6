import type { Command } from 'commander';
import { SalonError } from '../../contract/errors.ts';
import type { ActionRunner, Handler } from '../action-runner.ts';
import { version } from '../io.ts';
import type { CommandContext } from '../session/command-context.ts';

export function registerUpgrade(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    flags: { check: { flag: '--check', help: 'Ask the release address for the newest version' } },
    notes:
      'Only --check sends a request, and nothing is installed. No other command looks for\nnewer versions.',
    examples: {
      'salon upgrade': 'Show how to upgrade',
      'salon upgrade --check': 'Find out whether there is a newer version',
      'salon upgrade --check --json | jq .upgradable': 'Check in a script',
    },
    handler: async () => showUpgrade,
  });
}

const showUpgrade: Handler<{ readonly check?: boolean }> = async (context) => {
  const { releaseUrl = '' } = context.io;
  if (!context.flags.check) return { show: 'text', text: `${describeWays(releaseUrl, '<version>')}\n` };
  const newest = await readNewestVersion(releaseUrl, context);
  const upgradable = isNewer(newest, version);
  const message = upgradable
    ? `salon ${newest} is available; ${version} is installed. ${describeWays(releaseUrl, newest)}`
    : `salon ${version} is installed; there is no newer version.`;
  return { show: 'record', record: { installed: version, newest, upgradable }, message };
};

function describeWays(releaseUrl: string, to: string): string {
  return `To upgrade:
  npm             npm install -g ${releaseUrl}/salon-${to}.tgz
  Linux, macOS    curl -fsSL ${releaseUrl}/install.sh | sh
  Windows         irm ${releaseUrl}/install.ps1 | iex
  Debian package  sudo apt install ./<the new .deb>
  container       use the image of the new version
Back up the database first: salon server backup`;
}

/** Reads it from the names in the list of checksums, which every release has. */
async function readNewestVersion(releaseUrl: string, context: CommandContext): Promise<string> {
  const { readPublicText } = await import('../session/network.ts');
  const session = await context.session();
  const sums = await readPublicText(`${releaseUrl}/SHA256SUMS`, { ...context, session });
  const [, newest] = /^[0-9a-f]{64} [ *]salon-(\d+\.\d+\.\d+(?:-[\w.]+)?)\.tgz$/m.exec(sums) ?? [];
  if (newest === undefined) {
    throw new SalonError('unexpected_response', `${releaseUrl}/SHA256SUMS names no release of salon.`, {
      hint: 'Try again later.',
    });
  }
  return newest;
}

/** 1.0.0 is newer than 1.0.0-rc.10, and that is newer than 1.0.0-rc.9. */
function isNewer(one: string, other: string): boolean {
  const [number = '', candidate] = one.split(/-(.*)/);
  const [otherNumber = '', otherCandidate] = other.split(/-(.*)/);
  const order = compareParts(number, otherNumber);
  if (order !== 0) return order > 0;
  if (candidate === undefined || otherCandidate === undefined)
    return candidate !== otherCandidate && candidate === undefined;
  return compareParts(candidate, otherCandidate) > 0;
}

function compareParts(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
