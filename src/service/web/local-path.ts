/**
 * A path of this service to go on to, from a query or a form; `fallback` for everything that a browser could take for
 * another origin, such as `//host` and `/\\host`.
 */
export function parseLocalPath(text: string | null, fallback: string): string {
  // Browsers drop tabs and line ends in URLs, and take a backslash for a slash.
  if (text === null || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return fallback;
  const origin = 'http://localhost';
  return URL.canParse(text, origin) && new URL(text, origin).origin === origin ? text : fallback;
}
