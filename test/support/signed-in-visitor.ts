import { testPassword } from './members.ts';
import { createVisitor, type VisitedPage, type Visitor } from './visitor.ts';

/** A browser in which a person has signed in. */
export async function signInVisitor(origin: string, email = 'ana@salon.example'): Promise<Visitor> {
  const visitor = createVisitor(origin);
  const page = await visitor.submit(await visitor.open('/sign-in'), { email, password: testPassword });
  if (page.status !== 200) throw new Error(`${email} could not sign in: ${page.seen}`);
  return visitor;
}

/** Opens an authorization URL and presses Allow. Returns where the browser is led. */
export async function allow(visitor: Visitor, url: URL | string): Promise<URL> {
  return new URL((await press(visitor, url, 'Allow')).url);
}

/** Opens an authorization URL and presses Cancel. Returns where the browser is led. */
export async function cancel(visitor: Visitor, url: URL | string): Promise<URL> {
  return new URL((await press(visitor, url, 'Cancel')).url);
}

async function press(visitor: Visitor, url: URL | string, button: 'Allow' | 'Cancel'): Promise<VisitedPage> {
  const { pathname, search } = new URL(url);
  const page = await visitor.open(`${pathname}${search}`);
  return visitor.press(page, button, { decision: button.toLowerCase() });
}
