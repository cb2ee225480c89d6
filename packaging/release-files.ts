const systems: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'macos', win32: 'windows' };

/** The name of an executable, such as `salon-1.0.0-linux-x64`. The install scripts and the action look for it. */
export function nameExecutable(version: string, platform: string, arch: string): string {
  const system = systems[platform] ?? platform;
  return `salon-${version}-${system}-${arch}${platform === 'win32' ? '.exe' : ''}`;
}

/** The name of a Debian package. Its version is as everywhere: Debian's `~` is none that every server keeps. */
export function nameDebianPackage(version: string, arch: string): string {
  return `salon_${version}_${arch}.deb`;
}

/** The name of an archive with a container image. */
export function nameImage(version: string, arch: string): string {
  return `salon-${version}-image-${arch}.tar.gz`;
}
