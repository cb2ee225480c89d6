import { SalonError } from '../../contract/errors.ts';

/** The refusal of a sheet in which there is nothing to work on. */
export function noRows(message: string): SalonError {
  return new SalonError('usage', message, {
    hint: 'Give a sheet that has a row for every record; this one may not have been saved.',
  });
}
