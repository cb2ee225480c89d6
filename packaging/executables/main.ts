import { runInThisContext } from 'node:vm';
import { queryScript, queryVariable } from '../../src/cli/copy/query-script.ts';
import { main } from '../../src/cli/run.ts';
import { removalScript, removeVariable } from '../../src/service/db/sqlite/publish-file.ts';

// What a single executable runs.

if (process.env[removeVariable] === '1') {
  process.argv.shift();
  runInThisContext(removalScript);
} else if (process.env[queryVariable] === '1') {
  runInThisContext(queryScript);
} else {
  // A worker is started with the path of its script, which an executable does not have.
  if (process.argv[2] === process.execPath) process.argv.splice(2, 1);
  void main(process).then((code) => {
    process.exitCode = code;
  });
}
