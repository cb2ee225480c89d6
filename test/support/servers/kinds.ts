import { djangoLimitOffset, djangoPageNumber } from './django.ts';
import { easyAppointments } from './easy-appointments.ts';
import { jsonApi } from './json-api.ts';
import { laravelPaginate, laravelResources } from './laravel.ts';
import { odata } from './odata.ts';
import type { ServerKind } from './other-server.ts';
import { postgrest } from './postgrest.ts';
import { springHal, springPage, springPagedModel } from './spring.ts';
import { square } from './square.ts';
import { stripe } from './stripe.ts';

/** Stubs of the servers that ready-made dialects are for. */
export const kinds: readonly ServerKind[] = [
  square,
  stripe,
  easyAppointments,
  springHal,
  springPage,
  springPagedModel,
  odata,
  postgrest,
  jsonApi,
  laravelPaginate,
  laravelResources,
  djangoPageNumber,
  djangoLimitOffset,
];
