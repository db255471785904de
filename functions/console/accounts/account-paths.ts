export const accountPath = (id: string): string => `/console/accounts/${encodeURIComponent(id)}`;

/** The path of an account in the management API. */
export const apiPathOf = (id: string | undefined): string => `accounts/${encodeURIComponent(id ?? '')}`;
