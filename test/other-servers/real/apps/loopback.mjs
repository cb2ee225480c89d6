import { inject } from '@loopback/core';
import {
  defineCrudRepositoryClass,
  defineModelClass,
  Entity,
  juggler,
  ModelDefinition,
} from '@loopback/repository';
import { RestApplication } from '@loopback/rest';
import { defineCrudRestController } from '@loopback/rest-crud';
import { serve } from './truth.mjs';

/** Models with the controllers that `lb4 controller` writes, over records in memory. */
const text = { type: 'string', jsonSchema: { nullable: true } };
const time = { type: 'date', jsonSchema: { nullable: true } };
const number = { type: 'number', jsonSchema: { nullable: true } };
const models = {
  clients: {
    ...{ first_name: text, last_name: text, email: text, phone: text, notes: text },
    ...{ loyalty_number: number, balance: number, created_at: time, updated_at: time },
    address: { type: 'object', jsonSchema: { nullable: true } },
  },
  appointments: {
    ...{ client_id: number, stylist_id: number, service: text, start_time: time },
    ...{ duration: number, status: text, updated_at: time },
  },
  stylists: { name: text },
};

const app = new RestApplication({ rest: { listenOnStart: false } });
const source = new juggler.DataSource({ name: 'db', connector: 'memory' });

const repositories = Object.fromEntries(
  Object.entries(models).map(([name, properties]) => {
    const definition = new ModelDefinition({ name: name.slice(0, -1), properties });
    definition.addProperty('id', { type: 'number', id: true, generated: true });
    const model = defineModelClass(Entity, definition);
    const repository = new (defineCrudRepositoryClass(model))(source);
    app.bind(`repositories.${name}`).to(repository);
    const controller = defineCrudRestController(model, { basePath: `/${name}` });
    inject(`repositories.${name}`)(controller, undefined, 0);
    app.controller(controller);
    return [name, repository];
  }),
);
await app.start();

serve(app.requestHandler, {
  read: async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(repositories).map(async ([name, repository]) => [name, await repository.find()]),
      ),
    ),
  replace(records) {
    const { cache, ids } = source.connector;
    for (const [name, { entityClass }] of Object.entries(repositories)) {
      const rows = records[name] ?? [];
      cache[entityClass.modelName] = Object.fromEntries(rows.map((row) => [row.id, JSON.stringify(row)]));
      ids[entityClass.modelName] = rows.length + 1;
    }
  },
});
