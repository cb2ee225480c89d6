import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReleaseServer extends AsyncDisposable {
  readonly url: string;
  /** Paths in the order they were asked for. */
  readonly requests: readonly string[];
  /** Whether a request had a key. */
  sawKey(): boolean;
}

/**
 * Serves the files of a release, with `SHA256SUMS` unless it is given. A file without text is never sent to its end. With
 * `redirect`, all requests are redirected.
 */
export async function openReleaseServer(
  files: Readonly<Record<string, string | undefined>>,
  redirect?: (path: string) => string,
): Promise<ReleaseServer> {
  const sums = Object.entries(files).map(([name, text = '']) => `${sha256(text)}  ${name}\n`);
  const served: typeof files = { SHA256SUMS: sums.join(''), ...files };
  const requests: string[] = [];
  let hasKey = false;
  const server = createServer(({ url = '', headers }, response) => {
    hasKey ||= headers.authorization !== undefined;
    requests.push(url);
    const name = url.slice(1);
    if (redirect !== undefined) response.writeHead(302, { location: redirect(url) }).end();
    else if (!Object.hasOwn(served, name)) response.writeHead(404).end();
    else if (served[name] === undefined) response.write('#!');
    else response.end(served[name]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    sawKey: () => hasKey,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
