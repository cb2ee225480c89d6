import type { Notice } from './components.ts';
import type { Visit } from './visit.ts';

/** The message of the form before, which is shown once. */
export function takeNotice({ cookies }: Pick<Visit, 'cookies'>): Notice | undefined {
  const text = cookies.read('notice');
  if (text === undefined) return undefined;
  cookies.clear('notice');
  return { tone: 'good', body: Buffer.from(text, 'base64url').toString() };
}
