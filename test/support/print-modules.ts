// For `node --import`: writes the URL of every module loaded later to file descriptor 3, one per line.
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, nextLoad) {
    writeSync(3, `${url}\n`);
    return nextLoad(url, context);
  },
});

// And a line for every format of times that is made: the first one takes as long as the rest of a help page.
Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
  construct(target, args) {
    writeSync(3, 'Intl.DateTimeFormat\n');
    return Reflect.construct(target, args);
  },
});
