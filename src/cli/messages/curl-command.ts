import { escapeInvisible } from '../../contract/json.ts';
import type { RequestEvent } from './request-trace.ts';

/** Left out: curl sends its own, and `--compressed` replaces the encodings. */
const omitted = new Set(['user-agent', 'accept-encoding', 'content-length', 'host']);

export interface CurlNetwork {
  readonly caFile?: string | undefined;
  readonly clientCert?: string | undefined;
  readonly clientKey?: string | undefined;
}

/**
 * The curl command that sends the same request, for a POSIX shell. The key is `$SALON_API_KEY`; other secret headers stay
 * masked. Personal data is included.
 */
export function renderCurl(
  { method, url, headers, body }: Extract<RequestEvent, { readonly type: 'request' }>,
  network: CurlNetwork = {},
): string {
  const text = body();
  const parts = [
    `curl --request ${method} --compressed --globoff ${quoteShell(url)}`,
    ...Object.entries(headers())
      .filter(([name]) => !omitted.has(name.toLowerCase()) && (name !== 'content-type' || text !== undefined))
      .map(([name, value]) => `--header ${quoteHeader(name, value)}`),
    ...(network.caFile === undefined ? [] : [`--cacert ${quoteShell(network.caFile)}`]),
    ...(network.clientCert === undefined ? [] : [`--cert ${quoteShell(network.clientCert)}`]),
    ...(network.clientKey === undefined ? [] : [`--key ${quoteShell(network.clientKey)}`]),
    ...(text === undefined ? [] : [`--data-raw ${quoteShell(escapeInvisible(text))}`]),
  ];
  return parts.join(' \\\n  ');
}

function quoteHeader(name: string, value: string): string {
  if (name === 'authorization' && value === 'Bearer …') return '"Authorization: Bearer $SALON_API_KEY"';
  return quoteShell(`${name}: ${value}`);
}

/** A word of a POSIX shell. */
function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Shows a request as a curl command. Throws `NotSent` for a change. */
export function showCurl(
  event: Extract<RequestEvent, { readonly type: 'request' }>,
  network: CurlNetwork,
  show: (text: string) => void,
): void {
  show(renderCurl(event, network));
  if (event.method !== 'GET' && event.method !== 'HEAD') throw new NotSent();
}

/** Ends a command with --curl before the request that would change something. Not an error. */
export class NotSent extends Error {
  constructor() {
    super('Nothing was changed: --curl only shows changes.');
    this.name = 'NotSent';
  }
}
