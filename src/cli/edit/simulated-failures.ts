import { createHash } from 'node:crypto';
import { closest } from '../../contract/closest.ts';
import { SalonError } from '../../contract/errors.ts';
import { parseList } from '../flags/values.ts';

/** Values of `--faults`. */
export const failureNames = ['429', '503', '500', 'timeout', 'cut', 'lost'] as const;

export type FailureName = (typeof failureNames)[number];

/** Parses a list such as `429,timeout`. Throws `usage` for an unknown name. */
export function parseFailures(text: string): readonly FailureName[] {
  return [...new Set(parseList(text, '--faults').map(parseFailure))];
}

function parseFailure(word: string): FailureName {
  const found = failureNames.find((name) => name === word.toLowerCase());
  if (found !== undefined) return found;
  const near = closest(word, failureNames);
  const question = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new SalonError('usage', `Unknown failure "${word}".${question}`, {
    hint: `Failures: ${failureNames.join(', ')} (cut: half a response; lost: applied without a response).`,
  });
}

interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
}

/** A failure of a request; `draw`, from 0 to 1, varies it. */
export interface SimulatedFailure {
  readonly name: FailureName;
  readonly draw: number;
}

export type PickFailure = (request: ProxiedRequest) => SimulatedFailure | undefined;

export interface FailureOptions {
  readonly names: readonly FailureName[];
  /** Share of failing requests, from 0 to 1. */
  readonly share: number;
  readonly seed: number;
}

/** Picks failures by request and earlier failures of it, not by time: the same requests fail in any order. */
export function createFailurePicker({ names, share, seed }: FailureOptions): PickFailure {
  const failures = new Map<string, number>();
  return ({ method, path, body }) => {
    const identity = toDigest(`${seed} ${method} ${path} `, body).toString('base64');
    const before = failures.get(identity) ?? 0;
    const digest = toDigest(identity, String(before));
    const [happens = 1, which = 0, draw = 0] = [0, 4, 8].map((at) => digest.readUInt32LE(at) / 2 ** 32);
    const name = happens < share ? names[Math.floor(which * names.length)] : undefined;
    if (name === undefined) return undefined;
    failures.set(identity, before + 1);
    return { name, draw };
  };
}

function toDigest(...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
