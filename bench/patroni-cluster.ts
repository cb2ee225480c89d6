import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, globSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Two synchronous nodes of PostgreSQL under Patroni, with etcd, behind HAProxy. */
export interface PatroniCluster extends AsyncDisposable {
  /** The address of the primary, whichever node that is. */
  readonly location: string;
  /** Waits until one node is the primary and the other one its synchronous standby. */
  waitUntilSynchronous(): Promise<void>;
  /** Kills Patroni and PostgreSQL of the primary, as a power cut would. Returns what starts the node again. */
  killPrimary(): Promise<() => void>;
}

interface Node {
  readonly name: string;
  readonly restPort: number;
  readonly port: number;
  process: ChildProcess | undefined;
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Starts everything on loopback, on ports from `firstPort`. Programs that must not run as root run as `postgres`. */
export async function openPatroniCluster(folder: string, firstPort: number): Promise<PatroniCluster> {
  const [etcdPort, peerPort, proxyPort] = [firstPort, firstPort + 1, firstPort + 2];
  const nodes: Node[] = [1, 2].map((number) => ({
    name: `node${number}`,
    restPort: firstPort + 10 + number,
    port: firstPort + 20 + number,
    process: undefined,
  }));
  const [bin = ''] = globSync('/usr/lib/postgresql/*/bin').sort().reverse();
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? readUser() : undefined;
  chmodSync(folder, 0o755);

  function start(program: string, argv: readonly string[]): ChildProcess {
    const log = openSync(join(folder, `${program}.log`), 'a');
    const own = isRoot && program === 'patroni' ? ['runuser', '-u', 'postgres', '--', program] : [program];
    const [command = '', ...rest] = [...own, ...argv];
    return spawn(command, rest, { stdio: ['ignore', log, log] });
  }

  function writePrivate(name: string, text: string): string {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  }

  const client = `http://127.0.0.1:${etcdPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const etcd = start('etcd', [
    ...[
      '--data-dir',
      join(folder, 'etcd'),
      '--listen-client-urls',
      client,
      '--advertise-client-urls',
      client,
    ],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `default=${peer}`],
  ]);
  const startNode = (node: Node) => {
    const data = join(folder, node.name);
    mkdirSync(data, { recursive: true, mode: 0o700 });
    if (user !== undefined) chownSync(data, user.uid, user.gid);
    const file = writePrivate(`${node.name}.yml`, renderNode(node, { folder, etcdPort, bin }));
    node.process = start('patroni', [file]);
  };
  for (const node of nodes) startNode(node);
  const proxy = start('haproxy', ['-db', '-f', writePrivate('haproxy.cfg', renderProxy(nodes, proxyPort))]);

  async function readMembers(): Promise<readonly Member[]> {
    for (const { restPort } of nodes) {
      try {
        const response = await fetch(`http://127.0.0.1:${restPort}/cluster`);
        return ((await response.json()) as { members: Member[] }).members;
      } catch {
        // That node is down: the other one knows.
      }
    }
    return [];
  }

  async function waitUntilSynchronous(): Promise<void> {
    for (;;) {
      const members = await readMembers();
      const roles = members.filter(({ state }) => /running|streaming/.test(state)).map(({ role }) => role);
      if (roles.includes('leader') && roles.includes('sync_standby')) return;
      await wait(200);
    }
  }

  return {
    location: `postgres://salon@127.0.0.1:${proxyPort}/salon`,
    waitUntilSynchronous,
    async killPrimary() {
      const leader = (await readMembers()).find(({ role }) => role === 'leader');
      const node = nodes.find(({ name }) => name === leader?.name);
      if (node === undefined) throw new Error('There is no primary.');
      killTree(node.process?.pid);
      node.process = undefined;
      killServer(join(folder, node.name, 'data'));
      return () => startNode(node);
    },
    async [Symbol.asyncDispose]() {
      for (const node of nodes) {
        killTree(node.process?.pid);
        killServer(join(folder, node.name, 'data'));
      }
      proxy.kill('SIGKILL');
      etcd.kill('SIGKILL');
    },
  };
}

function readUser(): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString());
  return { uid: id('-u'), gid: id('-g') };
}

/** Kills a process and its children, such as those of `runuser`. */
function killTree(pid: number | undefined): void {
  if (pid === undefined) return;
  const children = execFileSync('sh', ['-c', `ps -o pid= --ppid ${pid} || true`]).toString();
  for (const child of children.split('\n').filter((line) => line.trim() !== '')) killTree(Number(child));
  kill(pid);
}

/** Kills the processes of a server: the first one, and those it started. */
function killServer(data: string): void {
  try {
    killTree(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]));
  } catch {
    // It does not run.
  }
}

function kill(pid: number): void {
  try {
    if (pid > 1) process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function renderNode(
  { name, restPort, port }: Node,
  { folder, etcdPort, bin }: { folder: string; etcdPort: number; bin: string },
): string {
  return `scope: salon
name: ${name}
restapi: { listen: '127.0.0.1:${restPort}', connect_address: '127.0.0.1:${restPort}' }
etcd3: { host: '127.0.0.1:${etcdPort}' }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 5
    retry_timeout: 5
    synchronous_mode: true
    postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_log_hints: 'on' } }
  initdb: [{ encoding: UTF8 }, data-checksums]
  pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust', 'local all all trust']
postgresql:
  listen: 127.0.0.1:${port}
  connect_address: 127.0.0.1:${port}
  data_dir: ${folder}/${name}/data
  bin_dir: ${bin}
  pgpass: ${folder}/${name}/pgpass
  authentication:
    superuser: { username: postgres, password: postgres }
    replication: { username: replicator, password: replicator }
    rewind: { username: rewind, password: rewind }
  parameters: { unix_socket_directories: '${folder}/${name}' }
`;
}

function renderProxy(nodes: readonly Node[], port: number): string {
  const servers = nodes.map(
    (node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}`,
  );
  return `defaults
  mode tcp
  timeout connect 3s
  timeout client 1h
  timeout server 1h
  timeout check 2s
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}
