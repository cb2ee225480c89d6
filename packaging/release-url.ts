/**
 * The address of the folder with the files of the newest release, without a slash at the end; quoting it is safe.
 * Undefined where releases have none: then nothing that needs it is made.
 */
export function readReleaseUrl(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const text = env['SALON_RELEASE_URL'];
  if (text === undefined || text === '') return undefined;
  const { protocol, hostname } = new URL(text);
  const isLoopback = protocol === 'http:' && hostname === '127.0.0.1';
  if ((protocol !== 'https:' && !isLoopback) || /[^\w:/.~%-]/.test(text)) {
    throw new Error(`SALON_RELEASE_URL has to be an https address without a query: ${text}`);
  }
  return text.replace(/\/+$/, '');
}

/** What a build puts into the program. */
export function defineReleaseUrl(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const releaseUrl = readReleaseUrl(env);
  return releaseUrl === undefined ? {} : { buildReleaseUrl: JSON.stringify(releaseUrl) };
}
