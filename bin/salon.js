#!/usr/bin/env node
// Runs on any Node: an older one starts the Node that this package installs, or reports that it is missing.
const required = { node: '24.15', sqlite: '3.51.3' };
const { node, sqlite } = process.versions;

// SQLite before 3.51.3 can damage a database in WAL mode that processes share: https://sqlite.org/wal.html#walresetbug
if (isAtLeast(node, '24') && isAtLeast(sqlite, required.sqlite)) await start();
else await restartWithNewerNode();

function isAtLeast(version = '0', minimum) {
  const [numbers, least] = [version, minimum].map((text) => text.split('.').map(Number));
  const at = least.findIndex((number, index) => number !== (numbers[index] ?? 0));
  return at === -1 || (numbers[at] ?? 0) > least[at];
}

async function start() {
  // An import would load all of node:fs, which takes 5 ms.
  const { existsSync, readFileSync, writeSync } = process.getBuiltinModule('node:fs');
  const args = process.argv.slice(2);
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    const packageFile = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    try {
      // The stream of standard output takes 3 ms to open.
      writeSync(1, `${JSON.parse(packageFile).version}\n`);
    } catch (error) {
      // A closed pipe is success.
      if (error.code !== 'EPIPE') throw error;
    }
    return;
  }
  if (!existsSync(new URL('../dist/salon.cjs', import.meta.url))) {
    process.stderr.write('error: salon is not built yet.\n  In a checkout, run: npm ci && npm run build\n');
    process.exitCode = 70;
    return;
  }
  const { createRequire, enableCompileCache } = process.getBuiltinModule('node:module');
  enableCompileCache();
  const { main } = createRequire(import.meta.url)('../dist/salon.cjs');
  process.exitCode = await main(process);
}

/** Starts this file again with the Node from node_modules. */
async function restartWithNewerNode() {
  const [{ existsSync, realpathSync }, { fileURLToPath }] = await Promise.all([
    import('node:fs'),
    import('node:url'),
  ]);
  const newer = ['../node_modules/node/bin/node', '../../node/bin/node', '../node_modules/node/bin/node.exe']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path) && realpathSync(path) !== realpathSync(process.execPath));
  if (newer === undefined) {
    const found = sqlite === undefined ? node : `${node} with SQLite ${sqlite}`;
    process.stderr.write(
      `error: salon needs Node ${required.node} or newer with SQLite ${required.sqlite} or newer; this is Node ${found}.\n`,
    );
    process.exitCode = 2;
    return;
  }
  const [{ spawn }, { constants }] = await Promise.all([import('node:child_process'), import('node:os')]);
  const child = spawn(newer, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
