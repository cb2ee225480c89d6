import { settingsVersionHeader } from '../../contract/salon.ts';
import { escapeInvisible } from '../../text/json.ts';
import { NotSent } from './exit-codes.ts';
import type { RequestEvent } from './request-trace.ts';

/** Left out: curl sends its own, and `--compressed` replaces the encodings. */
const omitted = new Set(['user-agent', 'accept-encoding', 'content-length', 'host']);

/** Certificates by the flag of curl that takes their file. */
export type CurlFiles = Readonly<Record<`--${string}`, string | undefined>>;

type SentRequest = Extract<RequestEvent, { readonly type: 'request' }>;

/**
 * The curl command that sends the same request, for a POSIX shell. The key is `$SALON_API_KEY`; other secret headers stay
 * masked. Personal data is included.
 */
export function renderCurl({ method, url, headers, body }: SentRequest, files: CurlFiles = {}): string {
  const text = body();
  // A change may depend on the settings, as on the time zone; what is read does not.
  const ofBody = text === undefined ? ['content-type', settingsVersionHeader] : [];
  const quoteHeader = (name: string, value: string) =>
    name === 'authorization' && value === 'Bearer …'
      ? '"Authorization: Bearer $SALON_API_KEY"'
      : quoteShell(`${name}: ${value}`);
  const parts = [
    `curl --request ${method} --compressed --globoff ${quoteShell(url)}`,
    ...Object.entries(headers())
      .filter(([name]) => !omitted.has(name.toLowerCase()) && !ofBody.includes(name))
      .map(([name, value]) => `--header ${quoteHeader(name, value)}`),
    ...Object.entries(files).flatMap(([flag, file]) => (file ? [`${flag} ${quoteShell(file)}`] : [])),
    ...(text === undefined ? [] : [`--data-raw ${quoteShell(escapeInvisible(text))}`]),
  ];
  return parts.join(' \\\n  ');
}

function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Shows a request as a curl command. Throws `NotSent` for a change. */
export function showCurl(event: SentRequest, files: CurlFiles, show: (text: string) => void): void {
  show(renderCurl(event, files));
  if (event.method !== 'GET' && event.method !== 'HEAD') throw new NotSent();
}
