/** The roles of people; each includes those before it. An operator acts for every tenant, the others for one. */
export const ROLES = ['viewer', 'reviewer', 'admin', 'operator'] as const;
export type Role = (typeof ROLES)[number];

/** The roles that a tenant gives its people. Operators are made by a command. */
export const TENANT_ROLES = ['admin', 'reviewer', 'viewer'] as const satisfies readonly Role[];

export const includesRole = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);
