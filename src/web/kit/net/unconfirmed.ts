/** Where the login page says that a person's address waits to be confirmed. */
export const unconfirmedKey = (tenantId: string): string => `parley:${tenantId}:unconfirmed`
