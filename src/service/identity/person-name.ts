import { SalonError } from '../../contract/errors.ts';

const maxLength = 100;

/** Parses the name of a person; several spaces are one. Throws `validation_failed`. */
export function parsePersonName(text: string): string {
  const name = text.trim().replace(/\s+/g, ' ');
  // Bidirectional and other invisible characters could imitate somebody.
  if (name !== '' && name.length <= maxLength && !/\p{C}/u.test(name)) return name;
  const detail = `Enter a name of at most ${maxLength} characters.`;
  throw new SalonError('validation_failed', detail, {
    violations: [{ pointer: '/name', code: 'invalid_format', detail }],
  });
}
