/** Response headers: names in lower case, an array where a header was sent several times. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The value of a header. Several values are joined with commas. */
export function readHeader(headers: ResponseHeaders, name: string): string | undefined {
  if (!Object.hasOwn(headers, name)) return undefined;
  const value = headers[name];
  return typeof value === 'object' ? value.join(', ') : value;
}

const secretHeaders = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie'];

/** The headers without those that carry secrets. */
export function redactHeaders(headers: ResponseHeaders): Record<string, string> {
  const shown = Object.keys(headers).filter((name) => !secretHeaders.includes(name.toLowerCase()));
  return Object.fromEntries(shown.map((name) => [name, readHeader(headers, name) ?? '']));
}
