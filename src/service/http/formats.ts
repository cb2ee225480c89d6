import Format from 'typebox/format';
import { Settings } from 'typebox/system';
import { parseDay, parseInstant } from '../domain/instants.ts';

/** More broken rules than one answer lists. Typebox stops at 8 otherwise, and counts some twice. */
const mostErrors = 400;

/** Teaches typebox the contract's formats and lets it report every broken rule. May be called again. */
export function prepareValidation(): void {
  Settings.Set({ maxErrors: mostErrors });
  Format.Set('salon-email', isEmail);
  Format.Set('salon-phone', isPhone);
  Format.Set('date', (text) => parseDay(text) !== undefined);
  Format.Set('date-time', (text) => parseInstant(text) !== undefined);
}

function isEmail(text: string): boolean {
  return /^[^@\s]+@[^@\s]+$/u.test(text);
}

function isPhone(text: string): boolean {
  return /^\+?\d{7,15}$/.test(text.replaceAll(/[ .\-()[\]]/g, ''));
}
