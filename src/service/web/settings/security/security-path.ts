/** The page that the others of this folder belong to. */
export const securityPath = '/settings/security';
