import { invalidField } from '../domain/validation.ts';

const maxLength = 100;

/** Parses the name of a person; several spaces are one. Throws `validation_failed`. */
export function parsePersonName(text: string): string {
  const name = text.trim().replace(/\s+/g, ' ');
  // Bidirectional and other invisible characters could imitate somebody.
  if (name !== '' && name.length <= maxLength && !/\p{C}/u.test(name)) return name;
  throw invalidField('/name', `Enter a name of at most ${maxLength} characters.`);
}
