import { type Import, readImports } from './imports.ts';
import type { SourceFile } from './source-file.ts';

/** A part of the house, and whom it may import. What stands in one room may always import its own. */
interface Room {
  /** A folder with a slash at the end, or a file. */
  readonly path: string;
  readonly rooms: readonly string[];
  /** Rooms that are costly: reached by `import()` or for their types alone. */
  readonly lazyRooms?: readonly string[];
  readonly packages: readonly string[];
  /** Packages whose types alone are taken. */
  readonly typePackages?: readonly string[];
  /** Whether it does no input or output, and so needs nothing of Node but what is named. */
  readonly isPure?: boolean;
}

/** Who may import whom. The contract is where client and service meet; every arrow points towards it. */
export const rooms: Readonly<Record<string, Room>> = {
  contract: { path: 'src/contract/', rooms: [], packages: [], typePackages: ['typebox'], isPure: true },
  webhooks: { path: 'src/webhooks/', rooms: ['contract'], packages: ['node:crypto'], isPure: true },
  client: { path: 'src/client/', rooms: ['contract'], packages: ['undici'] },
  localState: { path: 'src/local-state/', rooms: ['contract'], packages: [] },
  bulk: { path: 'src/bulk/', rooms: ['client', 'localState', 'contract'], packages: [] },
  index: { path: 'src/index.ts', rooms: ['client', 'bulk', 'webhooks', 'contract'], packages: [] },
  store: { path: 'src/service/store/', rooms: ['contract'], packages: ['kysely'] },
  domain: { path: 'src/service/domain/', rooms: ['store', 'webhooks', 'contract'], packages: ['ulid'] },
  events: {
    path: 'src/service/events/',
    rooms: ['domain', 'store', 'webhooks', 'contract'],
    packages: ['ipaddr.js', 'undici'],
  },
  web: {
    path: 'src/service/web/',
    rooms: ['domain', 'store', 'webhooks', 'contract'],
    packages: ['fastify'],
  },
  http: { path: 'src/service/http/', rooms: ['domain', 'contract'], packages: ['fastify', 'typebox'] },
  config: { path: 'src/service/config.ts', rooms: ['contract'], packages: [] },
  administration: {
    path: 'src/service/administration.ts',
    rooms: ['domain', 'store', 'contract'],
    packages: [],
  },
  service: {
    path: 'src/service/service.ts',
    rooms: ['http', 'events', 'web', 'domain', 'store', 'config', 'webhooks', 'contract'],
    packages: [],
  },
  cli: {
    path: 'src/cli/',
    rooms: ['client', 'bulk', 'localState', 'webhooks', 'contract'],
    lazyRooms: ['service', 'config', 'administration'],
    packages: ['commander', 'conf', 'chalk', 'cli-table3', 'ora', 'inquirer', 'string-width'],
  },
};

/** What every room may read: the package's own name and version. */
const open = 'package.json';

/** Finds imports that the table does not allow, and files that stand in no room. */
export function findForeignImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const from = roomOf(file.path);
    if (from === undefined) return [`${file.path} stands in no room`];
    return readImports(file).flatMap((taken) => {
      const objection = objectTo(taken, from);
      return objection === undefined ? [] : [`${file.path} ${objection}`];
    });
  });
}

function objectTo(taken: Import, from: string): string | undefined {
  const room = rooms[from];
  if (room === undefined || taken.file === open) return undefined;
  if (taken.specifier === '') return 'has an import() of something that is not a plain string';
  return taken.file === undefined
    ? objectToPackage(taken, from, room)
    : objectToFile(taken, taken.file, { from, room });
}

function objectToPackage(taken: Import, from: string, room: Room): string | undefined {
  const name = taken.package ?? '';
  if (name.startsWith('node:') && !room.packages.includes(name)) {
    return room.isPure ? `imports ${name}, but ${from} does no input or output` : undefined;
  }
  if (room.packages.includes(name)) return undefined;
  if (!room.typePackages?.includes(name)) return `imports ${name}, which ${from} does not use`;
  return taken.kind === 'type' ? undefined : `loads ${name}, of which ${from} takes types alone`;
}

function objectToFile(
  { kind }: Import,
  file: string,
  { from, room }: { from: string; room: Room },
): string | undefined {
  const to = roomOf(file);
  if (to === undefined) return `imports ${file}, which stands in no room`;
  if (to === from || room.rooms.includes(to)) return undefined;
  if (!room.lazyRooms?.includes(to)) return `imports ${file}: ${from} may not reach ${to}`;
  return kind === 'static' ? `loads ${file} at once: ${from} reaches ${to} by import() alone` : undefined;
}

function roomOf(path: string): string | undefined {
  return Object.entries(rooms).find(([, room]) =>
    room.path.endsWith('/') ? path.startsWith(room.path) : path === room.path,
  )?.[0];
}
