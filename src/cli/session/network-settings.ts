import { resolve } from 'node:path';
import { assertHeaders } from '../../client/http/credential.ts';
import { parseHeader } from '../flags/headers.ts';
import type { Profile } from './profiles.ts';
import type { GlobalFlags } from './settings.ts';

const files = ['ca_file', 'client_cert', 'client_key'] as const;
const headerSetting = /^header\.(.+)$/;

/** Whether the value of a setting is a secret. */
export function isSecretSetting(setting: string): boolean {
  return headerSetting.test(setting);
}

/**
 * Returns the changed profile; undefined for an unknown setting. `none` removes it. Files are saved with their full path.
 * Throws `usage` for a header that cannot be set.
 */
export function setNetwork(
  profile: Profile,
  setting: string,
  { value, cwd }: { readonly value: string; readonly cwd: string },
): Profile | undefined {
  const header = headerSetting.exec(setting)?.[1]?.toLowerCase();
  if (header !== undefined) {
    const { [header]: _former, ...others } = profile.headers ?? {};
    return {
      ...profile,
      headers: value === 'none' ? others : { ...others, ...assertHeaders({ [header]: value }) },
    };
  }
  const file = files.find((name) => name === setting);
  if (file === undefined) return undefined;
  const { [file]: _former, ...others } = profile;
  return value === 'none' ? others : { ...others, [file]: resolve(cwd, value) };
}

type Network = Pick<Profile, (typeof files)[number] | 'headers'>;

/** What flags say about the network, as a profile keeps it. */
export function toProfileNetwork(flags: GlobalFlags, cwd: string): Network {
  const { caFile, clientCert, clientKey, header } = flags;
  return {
    ...(caFile === undefined ? {} : { ca_file: resolve(cwd, caFile) }),
    ...(clientCert === undefined ? {} : { client_cert: resolve(cwd, clientCert) }),
    ...(clientKey === undefined ? {} : { client_key: resolve(cwd, clientKey) }),
    ...(header === undefined
      ? {}
      : { headers: assertHeaders(Object.fromEntries(header.map((text) => parseHeader(text)))) }),
  };
}

/** A profile without the certificates and headers of its server. */
export function withoutNetwork(profile: Partial<Profile>): Partial<Profile> {
  const { ca_file: _ca, client_cert: _cert, client_key: _key, headers: _headers, ...others } = profile;
  return others;
}
