import { createHash } from 'node:crypto';
import { closest } from '../../contract/closest.ts';
import { SalonError } from '../../contract/errors.ts';
import { parseList } from '../flags/values.ts';

/** What can go wrong with a request, as `--faults` names it. */
export const faultNames = ['429', '503', '500', 'timeout', 'cut', 'lost'] as const;

export type FaultName = (typeof faultNames)[number];

/** The faults that a list such as `429,timeout` names. Throws `usage` for one that is unknown. */
export function parseFaults(text: string): readonly FaultName[] {
  return [...new Set(parseList(text, '--faults').map(parseFault))];
}

function parseFault(word: string): FaultName {
  const found = faultNames.find((name) => name === word.toLowerCase());
  if (found !== undefined) return found;
  const near = closest(word, faultNames);
  const question = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new SalonError('usage', `There is no fault "${word}".${question}`, {
    hint: `Faults: ${faultNames.join(', ')}; cut is half an answer, lost a change whose answer never comes.`,
  });
}

/** A request, as far as its fate hangs on it. */
export interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
}

/** A fault that befalls a request, with a number from 0 to 1 for how it does. */
export interface Fault {
  readonly name: FaultName;
  readonly draw: number;
}

export type DrawFault = (request: ProxiedRequest) => Fault | undefined;

export interface FaultOptions {
  readonly faults: readonly FaultName[];
  /** Of all requests, from 0 to 1. */
  readonly share: number;
  readonly seed: number;
}

/**
 * Draws by what is asked for and how often that has failed before, and not by when: the same requests meet the same
 * faults in whatever order they come.
 */
export function createFaultDraw({ faults, share, seed }: FaultOptions): DrawFault {
  const failures = new Map<string, number>();
  return ({ method, path, body }) => {
    const asked = toDigest(`${seed} ${method} ${path} `, body).toString('base64');
    const before = failures.get(asked) ?? 0;
    const digest = toDigest(asked, String(before));
    const [happens = 1, which = 0, draw = 0] = [0, 4, 8].map((at) => digest.readUInt32LE(at) / 2 ** 32);
    const name = happens < share ? faults[Math.floor(which * faults.length)] : undefined;
    if (name === undefined) return undefined;
    failures.set(asked, before + 1);
    return { name, draw };
  };
}

function toDigest(...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
