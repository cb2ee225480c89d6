import { normaliseEmail, normalisePhone } from '../../contract/formats.ts';

/** How a person is reached. */
export interface Contact {
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
}

/** What a change says of it, in the form in which it is stored; what is left out stays out. */
export function toStoredContact({ email, phone }: Contact): { email?: string | null; phone?: string | null } {
  return {
    ...(email === undefined ? {} : { email: email === null ? null : normaliseEmail(email) }),
    ...(phone === undefined ? {} : { phone: phone === null ? null : normalisePhone(phone) }),
  };
}
