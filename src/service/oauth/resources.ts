import type { AdapterPayload } from 'oidc-provider';
import type { Issuer } from './issuer.ts';

type WithResource = Pick<AdapterPayload, 'resource' | 'aud'>;

/**
 * Resources and the audience without the issuer, so that what was issued outlives a change of the origin: an embedded
 * salon listens on another port each time.
 */
export function toRelative({ resource, aud }: WithResource, { url }: Issuer): WithResource {
  const strip = (text: string) => (text.startsWith(url) ? text.slice(url.length) : text);
  return { ...mapTexts('resource', resource, strip), ...mapTexts('aud', aud, strip) };
}

/** The resources and the audience of a stored token, at this issuer. */
export function toResource({ resource, aud }: WithResource, { url }: Issuer): WithResource {
  const join = (text: string) => `${url}${text}`;
  return { ...mapTexts('resource', resource, join), ...mapTexts('aud', aud, join) };
}

function mapTexts(
  name: 'resource' | 'aud',
  value: string | readonly string[] | undefined,
  change: (text: string) => string,
): WithResource {
  if (value === undefined) return {};
  return { [name]: typeof value === 'string' ? change(value) : value.map(change) };
}
