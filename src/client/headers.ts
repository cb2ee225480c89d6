/** Headers of an answer: names in lower case, several values where one was sent more than once. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The value of a header; values of one that was sent more than once are joined with commas. */
export function headerOf(headers: ResponseHeaders, name: string): string | undefined {
  if (!Object.hasOwn(headers, name)) return undefined;
  const value = headers[name];
  return typeof value === 'object' ? value.join(', ') : value;
}

const secretHeaders = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie'];

/** The headers as they may be shown: without those that carry secrets. */
export function toShownHeaders(headers: ResponseHeaders): Record<string, string> {
  const shown = Object.keys(headers).filter((name) => !secretHeaders.includes(name.toLowerCase()));
  return Object.fromEntries(shown.map((name) => [name, headerOf(headers, name) ?? '']));
}
