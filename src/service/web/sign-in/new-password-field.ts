import { type FieldErrors, textField } from '../form-fields.ts';
import type { Html } from '../html.ts';

/** A new password is typed once: the button beside it shows it. */
export function newPasswordField({
  errors,
  label = 'Password',
}: {
  errors?: FieldErrors | undefined;
  label?: string;
}): Html {
  const hint = 'At least 12 characters. Four random words are easy to remember and hard to guess.';
  return textField({ label, name: 'password', type: 'password', hint, autocomplete: 'new-password', errors });
}
