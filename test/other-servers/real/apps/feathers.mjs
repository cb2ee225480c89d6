import { feathers } from '@feathersjs/feathers';
import { bodyParser, errorHandler, koa, rest } from '@feathersjs/koa';
import { MemoryService } from '@feathersjs/memory';
import { serve } from './truth.mjs';

/** An app as the guide makes one, over records in memory: 10 on a page without a `$limit`, 50 at most. */
const app = koa(feathers());
app.use(errorHandler());
app.use(bodyParser());
app.configure(rest());

const services = Object.fromEntries(
  ['clients', 'appointments', 'stylists'].map((name) => {
    app.use(name, new MemoryService({ paginate: { default: 10, max: 50 }, multi: false }));
    return [name, app.service(name)];
  }),
);
await app.setup();

serve(app.callback(), {
  read: () =>
    Object.fromEntries(Object.entries(services).map(([name, { store }]) => [name, Object.values(store)])),
  replace(records) {
    for (const [name, service] of Object.entries(services)) {
      const rows = records[name] ?? [];
      service.store = Object.fromEntries(rows.map((row) => [row.id, row]));
      // The next number that it gives away.
      service._uId = rows.length + 1;
    }
  },
});
