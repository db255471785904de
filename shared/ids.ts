import { randomBytes } from 'node:crypto';

/** A unique name for an object in storage. Names sort by time, so that listings are in order. */
export const newObjectId = (now: number): string => `${now.toString(36)}-${randomBytes(9).toString('base64url')}`;

/** Names one resource of a tenant. */
export interface TenantKey {
  readonly tenant: string;
  readonly id: string;
}

/** An id of our own: `cfg_` and 120 random bits. */
export const newId = (prefix: string): string => `${prefix}_${randomBytes(15).toString('base64url')}`;
