import { type ResponseHeaders, readHeader } from '../headers.ts';
import { quote } from './quote.ts';

/** What `WWW-Authenticate` says beside the scheme (RFC 6750, section 3). */
export interface Challenge {
  readonly error: string | undefined;
  readonly description: string | undefined;
  readonly scope: string | undefined;
}

const parameter = /([a-z_-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi;

export function readChallenge(headers: ResponseHeaders): Challenge {
  const value = (readHeader(headers, 'www-authenticate') ?? '').slice(0, 4096);
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of value.matchAll(parameter)) {
    const text = quote(quoted?.replace(/\\(.)/g, '$1') ?? plain, 300);
    if (text !== '') parameters.set(name.toLowerCase(), text);
  }
  return {
    error: parameters.get('error'),
    description: parameters.get('error_description'),
    scope: parameters.get('scope'),
  };
}
