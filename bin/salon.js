#!/usr/bin/env node
// Runs on any Node: an older one starts the Node that this package installs, or reports that it is missing.
const requiredMajor = 24;

if (Number(process.versions.node.split('.')[0]) < requiredMajor) await restartWithNewerNode();
else await start();

async function start() {
  // An import would load all of node:fs, which takes 5 ms.
  const { existsSync, readFileSync } = process.getBuiltinModule('node:fs');
  const args = process.argv.slice(2);
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    const packageFile = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    // A closed pipe is success.
    process.stdout.on('error', (error) => {
      if (error.code !== 'EPIPE') throw error;
    });
    process.stdout.write(`${JSON.parse(packageFile).version}\n`);
    return;
  }
  if (!existsSync(new URL('../dist/cli/run.js', import.meta.url))) {
    process.stderr.write('error: salon is not built yet.\n  In a checkout, run: npm ci && npm run build\n');
    process.exitCode = 70;
    return;
  }
  process.getBuiltinModule('node:module').enableCompileCache();
  const { main } = await import('../dist/cli/run.js');
  process.exitCode = await main(process);
}

/** Starts this file again with the Node from node_modules. */
async function restartWithNewerNode() {
  const [{ existsSync }, { fileURLToPath }] = await Promise.all([import('node:fs'), import('node:url')]);
  const newer = ['../node_modules/node/bin/node', '../../node/bin/node', '../node_modules/node/bin/node.exe']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path));
  if (newer === undefined) {
    process.stderr.write(
      `error: salon needs Node ${requiredMajor} or newer; this is Node ${process.versions.node}.\n`,
    );
    process.exitCode = 70;
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
