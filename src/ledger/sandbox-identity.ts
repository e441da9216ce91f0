/** How a sandbox is named in the ledger, where another service has its address. */

/** In front of the file of its records. */
export const sandboxIdentity = 'sandbox:';

/** @param service  the identity of a service in the ledger */
export function isSandbox(service: string): boolean {
  return service.startsWith(sandboxIdentity);
}
