// Given to `node --import`: writes the address of every module that is loaded after it to file descriptor 3, a line each.
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, nextLoad) {
    writeSync(3, `${url}\n`);
    return nextLoad(url, context);
  },
});
