/** Ends a command with --curl before the request that would change something. Not an error. */
export class NotSent extends Error {
  constructor() {
    super('Nothing was changed: --curl only shows changes.');
    this.name = 'NotSent';
  }
}
