import { SalonError } from '../contract/errors.ts';
import type { Fields } from './fields.ts';
import type { WriteFlags } from './flags/options.ts';
import type { CommandContext } from './session/command-context.ts';

/** A field that every record of a kind has, with the flag that gives it and the question that asks for it. */
export interface RequiredField {
  readonly field: string;
  readonly flag: string;
  readonly question: string;
}

/**
 * A person at a terminal is asked for what is missing; a script is told, by `usage`. --data may hold another shape, so it
 * is left alone.
 */
export async function askForMissing(
  fields: Fields,
  required: readonly RequiredField[],
  { flags, prompts }: CommandContext<WriteFlags>,
): Promise<Fields> {
  const missing = required.filter(({ field }) => fields[field] === undefined);
  if (missing.length === 0 || flags.data !== undefined) return fields;
  if (!prompts.possible) {
    throw new SalonError('usage', `Missing: ${missing.map(({ field }) => field).join(', ')}.`, {
      hint: `Give ${missing.map(({ flag }) => flag).join(', ')}; or all of it with --data.`,
    });
  }
  const answered = { ...fields };
  for (const { field, question } of missing) answered[field] = await prompts.text(question);
  return answered;
}
