import type { Machine, RunOptions, RunResult } from './io.ts';
import { createVisitor } from './visitor.ts';

/** What a person does with the address, and the code, that the command line prints. Returns where the browser ends. */
export type Visit = (address: string, code: string) => Promise<string>;

/** Runs `salon auth login` at a terminal and opens the address that it prints, once it is there. */
export async function loginAndVisit(
  machine: Machine,
  argv: readonly string[],
  visit: Visit,
  { env, ...options }: RunOptions = {},
): Promise<RunResult & { readonly page: string }> {
  const printed = Promise.withResolvers<readonly [string, string]>();
  const running = machine.salon(['auth', 'login', ...argv], {
    columns: 100,
    stdinStaysOpen: true,
    ...options,
    // A browser that does nothing.
    env: { BROWSER: '/bin/true', ...env },
    watch({ stderr }) {
      const [address, code = ''] = [...stderr.matchAll(/^ {2}(\S+)$/gm)].map(([, text = '']) => text);
      const isWhole = !stderr.includes('any browser') || stderr.includes('The code is valid');
      if (address !== undefined && isWhole) printed.resolve([address, code]);
    },
  });
  const page = printed.promise.then((shown) => visit(...shown));
  page.catch(() => {});
  // Without its page, the command goes on waiting.
  const result = await Promise.race([running, page.then(() => running)]);
  printed.reject(new Error(`No address was printed: ${result.stderr}`));
  return { ...result, page: await page };
}

/** Follows redirects on the server as a browser does, and then the one to the command line. */
export function openInBrowser(origin: string): Visit {
  return async (address) => {
    const { pathname, search } = new URL(address);
    const { url, seen } = await createVisitor(origin).open(pathname + search);
    if (!url.startsWith('http://127.0.0.1')) throw new Error(`The browser stays at ${url}: ${seen}`);
    return (await fetch(url)).text();
  };
}

/** Types a code into the page for it, and confirms it. Returns what the page then says. */
export async function enterCode(origin: string, path: string, code: string): Promise<string> {
  const visitor = createVisitor(origin);
  const confirmation = await visitor.submit(await visitor.open(path), { user_code: code });
  return (await visitor.submit(confirmation, { user_code: code })).seen;
}
