import type { Schema } from 'conf';

const text = { type: 'string', minLength: 1 } as const;
/** What a profile file may contain. What a newer version saved stays in the file. */
export const profileSchema: Schema<Record<'current' | 'profiles', unknown>> = {
  current: text,
  profiles: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      required: ['base_url'],
      properties: {
        base_url: text,
        credential: { type: 'object', required: ['key', 'origin'], properties: { key: text, origin: text } },
        oauth: {
          type: 'object',
          required: ['id', 'origin', 'issuer', 'client_id', 'storage'],
          properties: {
            id: text,
            origin: text,
            issuer: text,
            client_id: text,
            storage: { enum: ['keyring', 'file'] },
            tokens: { type: 'object', required: ['access_token'], properties: { access_token: text } },
          },
        },
        account: {
          type: 'object',
          required: ['id', 'name', 'plan', 'role'],
          properties: { id: text, name: { type: 'string' }, plan: text, role: text },
        },
        protected: { type: 'boolean' },
        read_only: { type: 'boolean' },
        plain: { type: 'boolean' },
        time_zone: text,
        opening_hours: text,
        format: text,
        timeout: text,
        retries: { type: 'integer', minimum: 0 },
        max_wait: text,
        rate: text,
        concurrency: { type: 'integer', minimum: 1 },
        ca_file: text,
        client_cert: text,
        client_key: text,
        headers: { type: 'object', additionalProperties: { type: 'string' } },
        dialect: { type: 'object' },
      },
    },
  },
};
