import { isSecretHeader, type Mask } from '../contract/mask-secrets.ts';

/** Response headers: names in lower case, an array where a header was sent several times. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The value of a header. Several values are joined with commas. */
export function readHeader(headers: ResponseHeaders, name: string): string | undefined {
  if (!Object.hasOwn(headers, name)) return undefined;
  const value = headers[name];
  return typeof value === 'object' ? value.join(', ') : value;
}

/** The headers with their secrets masked: of a secret header only a scheme such as `Bearer` is shown. */
export function maskHeaders(headers: ResponseHeaders, mask: Mask): Record<string, string> {
  return Object.fromEntries(
    Object.keys(headers).map((name) => {
      const value = readHeader(headers, name) ?? '';
      if (!isSecretHeader(name)) return [name, mask(value)];
      return [name, `${/^(?:bearer|basic|digest|negotiate) /i.exec(value)?.[0] ?? ''}…`];
    }),
  );
}
