import type { Endpoint } from './endpoint.ts';
import { newStylist, stylist, stylistChange, stylistList, stylistQuery } from './stylist.ts';

/** What can be done with stylists. */
export const stylistEndpoints = {
  listStylists: {
    method: 'GET',
    path: '/stylists',
    standing: 'extension',
    summary: 'List stylists',
    scope: 'stylists:read',
    action: 'stylists.read',
    query: stylistQuery,
    success: { status: 200, body: stylistList },
  },
  createStylist: {
    method: 'POST',
    path: '/stylists',
    standing: 'extension',
    summary: 'Add a stylist',
    scope: 'stylists:write',
    action: 'stylists.write',
    isTagged: true,
    body: newStylist,
    success: { status: 201, body: stylist },
  },
  getStylist: {
    method: 'GET',
    path: '/stylists/:id',
    standing: 'extension',
    summary: 'Read one stylist',
    scope: 'stylists:read',
    action: 'stylists.read',
    isTagged: true,
    success: { status: 200, body: stylist },
  },
  updateStylist: {
    method: 'PUT',
    path: '/stylists/:id',
    standing: 'extension',
    summary: 'Update a stylist',
    scope: 'stylists:write',
    action: 'stylists.write',
    isTagged: true,
    body: stylistChange,
    success: { status: 200, body: stylist },
  },
} as const satisfies Record<string, Endpoint>;
