import type { Notice } from './components.ts';
import type { PageVisit } from './visit.ts';

/** The message of the form before, which is shown once. */
export function takeNotice({ cookies }: Pick<PageVisit, 'cookies'>): Notice | undefined {
  const text = cookies.read('notice');
  if (text === undefined) return undefined;
  cookies.clear('notice');
  return { tone: 'good', body: Buffer.from(text, 'base64url').toString() };
}
