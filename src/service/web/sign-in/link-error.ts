import { SalonError } from '../../../contract/errors.ts';
import { PageError } from '../error-page.ts';

/** Explains why a link that works once does not work. */
export async function withUsableLink<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof SalonError) || error.code !== 'not_found') throw error;
    const link = { href: '/sign-in', label: 'Sign in' };
    throw new PageError(404, { title: 'This link does not work', reason: error.message, link });
  }
}
