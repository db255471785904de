/** The path of an account in the management API. */
export const apiPathOf = (id: string | undefined): string => `accounts/${encodeURIComponent(id ?? '')}`;
