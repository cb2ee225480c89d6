import type { AdapterPayload } from 'oidc-provider';
import type { Issuer } from './issuer.ts';

type WithResource = Pick<AdapterPayload, 'resource' | 'aud' | 'params'>;

/**
 * Resources and the audience without the issuer, so that what was issued outlives a change of the origin: an embedded
 * salon listens on another port each time.
 */
export function toRelative(payload: WithResource, { url }: Issuer): WithResource {
  return mapTexts(payload, (text) => (text.startsWith(url) ? text.slice(url.length) : text));
}

/** The resources and the audience of a stored payload, at this issuer. */
export function toResource(payload: WithResource, { url }: Issuer): WithResource {
  return mapTexts(payload, (text) => `${url}${text}`);
}

function mapTexts({ resource, aud, params }: WithResource, change: (text: string) => string): WithResource {
  const map = (value: string | readonly string[]) =>
    typeof value === 'string' ? change(value) : value.map(change);
  const asked = params?.['resource'] as string | string[] | undefined;
  return {
    ...(resource === undefined ? {} : { resource: map(resource) }),
    ...(aud === undefined ? {} : { aud: map(aud) }),
    ...(asked === undefined ? {} : { params: { ...params, resource: map(asked) } }),
  };
}
