import Format from 'typebox/format';
import { Settings } from 'typebox/system';
import { formats } from '../../contract/formats.ts';

/** More broken rules than one answer lists. Typebox stops at 8 otherwise, and counts some twice. */
const mostErrors = 400;

/** Teaches typebox the contract's formats and lets it report every broken rule. May be called again. */
export function prepareValidation(): void {
  Settings.Set({ maxErrors: mostErrors });
  for (const [name, { has }] of Object.entries(formats)) Format.Set(name, has);
}
