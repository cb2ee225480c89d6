import { type Import, readImports } from './imports.ts';
import type { SourceFile } from './source-file.ts';

/** A part of the source and what it may import. Files of a layer may always import each other. */
interface Layer {
  /** A folder with a slash at the end, or a file. */
  readonly path: string;
  readonly layers: readonly string[];
  /** Layers that are costly to load: imported by `import()` or for their types only. */
  readonly lazyLayers?: readonly string[];
  readonly packages: readonly string[];
  /** Packages imported for their types only. */
  readonly typePackages?: readonly string[];
  /** Does no I/O: of Node's modules, only those in `packages` are allowed. */
  readonly isPure?: boolean;
}

/** Allowed imports. Client and service meet in the contract; every arrow points down. */
export const layers: Readonly<Record<string, Layer>> = {
  text: { path: 'src/text/', layers: [], packages: ['libphonenumber-js'], isPure: true },
  time: { path: 'src/time/', layers: ['text'], packages: [], isPure: true },
  contract: {
    path: 'src/contract/',
    layers: ['time', 'text'],
    packages: [],
    typePackages: ['typebox'],
    isPure: true,
  },
  settings: { path: 'src/settings.ts', layers: ['contract'], packages: [], isPure: true },
  queue: { path: 'src/queue.ts', layers: [], packages: [], isPure: true },
  packagedFiles: { path: 'src/packaged-files.ts', layers: [], packages: [] },
  webhooks: {
    path: 'src/webhooks/',
    layers: ['contract', 'time', 'text'],
    packages: ['node:crypto', 'ulid'],
    isPure: true,
  },
  client: {
    path: 'src/client/',
    layers: ['contract', 'settings', 'queue', 'time', 'text'],
    packages: ['undici'],
  },
  localState: { path: 'src/local-state/', layers: ['contract', 'time', 'text'], packages: [] },
  bulk: {
    path: 'src/bulk/',
    layers: ['client', 'localState', 'contract', 'time', 'text'],
    packages: ['htmlparser2', 'hucre', 'ical.js', 'iconv-lite'],
  },
  index: {
    path: 'src/index.ts',
    layers: ['client', 'bulk', 'webhooks', 'contract', 'time', 'text'],
    packages: [],
  },
  db: { path: 'src/service/db/', layers: ['contract', 'queue', 'time', 'text'], packages: ['pg'] },
  secrets: { path: 'src/service/secrets/', layers: ['contract', 'time', 'text'], packages: [] },
  domain: {
    path: 'src/service/domain/',
    layers: ['db', 'secrets', 'webhooks', 'contract', 'time', 'text'],
    packages: ['typebox', 'ulid'],
  },
  delivery: {
    path: 'src/service/webhooks/',
    layers: ['domain', 'db', 'secrets', 'webhooks', 'contract', 'time', 'text'],
    packages: ['ipaddr.js', 'undici'],
  },
  identity: {
    path: 'src/service/identity/',
    layers: ['domain', 'db', 'secrets', 'contract', 'queue', 'time', 'text'],
    packages: ['@simplewebauthn/server', 'ipaddr.js', 'nodemailer', 'otpauth'],
  },
  web: {
    path: 'src/service/web/',
    layers: ['identity', 'domain', 'db', 'webhooks', 'contract', 'time', 'text', 'packagedFiles'],
    packages: ['@fastify/cookie', 'fastify', 'uqr'],
    typePackages: ['@simplewebauthn/server', 'typebox'],
  },
  oauth: {
    path: 'src/service/oauth/',
    layers: ['web', 'identity', 'domain', 'db', 'secrets', 'contract', 'time', 'text'],
    packages: ['fastify', 'oidc-provider'],
  },
  monitoring: {
    path: 'src/service/monitoring/',
    layers: ['db', 'contract', 'time', 'text'],
    packages: ['prom-client'],
  },
  http: {
    path: 'src/service/http/',
    layers: ['identity', 'domain', 'monitoring', 'contract', 'queue', 'time', 'text'],
    packages: ['fastify', 'typebox'],
  },
  config: {
    path: 'src/service/config.ts',
    layers: ['contract', 'settings', 'time', 'text'],
    packages: [],
  },
  administration: {
    path: 'src/service/administration.ts',
    layers: ['config', 'settings', 'identity', 'domain', 'db', 'secrets', 'contract', 'time', 'text'],
    packages: [],
  },
  maintenance: {
    path: 'src/service/maintenance/',
    layers: ['settings', 'domain', 'db', 'secrets', 'contract', 'time', 'text'],
    packages: [],
  },
  service: {
    path: 'src/service/service.ts',
    layers: [
      'http',
      'delivery',
      'web',
      'oauth',
      'identity',
      'domain',
      'monitoring',
      'db',
      'secrets',
      'config',
      'webhooks',
      'contract',
      'time',
      'text',
    ],
    packages: [],
  },
  workers: {
    path: 'src/service/workers/',
    layers: ['http', 'monitoring', 'contract', 'time', 'text'],
    packages: [],
  },
  cli: {
    path: 'src/cli/',
    layers: [
      'client',
      'bulk',
      'localState',
      'webhooks',
      'config',
      'settings',
      'contract',
      'time',
      'text',
      'packagedFiles',
    ],
    lazyLayers: ['service', 'administration', 'maintenance', 'workers'],
    packages: [
      'commander',
      'conf',
      'chalk',
      'cli-table3',
      'ora',
      'inquirer',
      'string-width',
      'fflate',
      'ical-generator',
      'openid-client',
      '@napi-rs/keyring',
    ],
  },
};

/**
 * The folders of the command line, top to bottom: a folder imports only folders further down. Features are on one level
 * and import none of each other.
 */
const cliFloors: readonly (readonly string[])[] = [
  ['commands', 'completion'],
  ['booking'],
  ['edit', 'export', 'copy', 'listen', 'calendar', 'history', 'report', 'doctor', 'merge', 'sign-in'],
  ['nouns'],
  ['availability'],
  ['people'],
  ['output'],
  ['session'],
  ['oauth'],
  ['flags'],
  ['messages'],
];

/** Finds imports between folders of the command line that point up or sideways. */
export function findUpwardImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const from = cliFolderOf(file.path);
    return readImports(file).flatMap(({ file: target = '' }) => {
      const to = cliFolderOf(target);
      if (from === undefined || to === undefined || from === to || floorOf(from) < floorOf(to)) return [];
      return [`${file.path} imports ${target}: ${to} is not below ${from}`];
    });
  });
}

function cliFolderOf(path: string): string | undefined {
  return /^src\/cli\/([^/]+)\//.exec(path)?.[1];
}

function floorOf(folder: string): number {
  const floor = cliFloors.findIndex((folders) => folders.includes(folder));
  return floor < 0 ? cliFloors.length : floor;
}

/** Every layer may read the package's name and version. */
const packageFile = 'package.json';

/** Finds imports that the table does not allow, and files that belong to no layer. */
export function findForbiddenImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const from = layerOf(file.path);
    if (from === undefined) return [`${file.path} belongs to no layer`];
    return readImports(file).flatMap((taken) => {
      const objection = findObjection(taken, from);
      return objection === undefined ? [] : [`${file.path} ${objection}`];
    });
  });
}

function findObjection(taken: Import, from: string): string | undefined {
  const layer = layers[from];
  if (layer === undefined || taken.file === packageFile) return undefined;
  if (taken.specifier === '') return 'has an import() of something that is not a plain string';
  return taken.file === undefined
    ? findObjectionPackage(taken, from, layer)
    : findObjectionFile(taken, taken.file, { from, layer });
}

function findObjectionPackage(taken: Import, from: string, layer: Layer): string | undefined {
  const name = taken.package ?? '';
  if (name.startsWith('node:') && !layer.packages.includes(name)) {
    return layer.isPure ? `imports ${name}, but ${from} does no I/O` : undefined;
  }
  if (layer.packages.includes(name)) return undefined;
  if (!layer.typePackages?.includes(name)) return `imports ${name}, which ${from} does not use`;
  return taken.kind === 'type' ? undefined : `loads ${name}, of which ${from} may import only types`;
}

function findObjectionFile(
  { kind }: Import,
  file: string,
  { from, layer }: { from: string; layer: Layer },
): string | undefined {
  const to = layerOf(file);
  if (to === undefined) return `imports ${file}, which belongs to no layer`;
  if (to === from || layer.layers.includes(to)) return undefined;
  if (!layer.lazyLayers?.includes(to)) return `imports ${file}: ${from} may not import ${to}`;
  return kind === 'static' ? `loads ${file} eagerly: ${from} may load ${to} only by import()` : undefined;
}

function layerOf(path: string): string | undefined {
  return Object.entries(layers).find(([, layer]) =>
    layer.path.endsWith('/') ? path.startsWith(layer.path) : path === layer.path,
  )?.[0];
}
