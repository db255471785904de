/** The scopes of management keys. `manage` includes the other two. */
export const SCOPES = ['events', 'read', 'manage'] as const;
export type Scope = (typeof SCOPES)[number];

/** The records of a file, which otherwise only a link shows: that takes `manage` too. */
const PAID_RECORDS = '/requests/{id}/files/{number}/records';

/** The scope that a request with a management key needs. @param routeKey in the gateway's form: `POST /manage/v1/events` */
export function scopeFor({ method, routeKey }: { method: string; routeKey: string }): Scope {
  const isRead = (method === 'GET' || method === 'HEAD') && !routeKey.endsWith(PAID_RECORDS);
  if (isRead) return 'read';
  return routeKey === 'POST /manage/v1/events' ? 'events' : 'manage';
}

export const reaches = (scopes: readonly Scope[], needed: Scope): boolean =>
  scopes.includes(needed) || scopes.includes('manage');
