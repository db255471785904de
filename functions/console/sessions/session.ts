import { createHash } from 'node:crypto';
import { includesRole, type Role } from '#shared/auth/role';
import { isOwnCredentialPath } from './own-paths.ts';

/** A signed-in person, as the user pool describes them. */
export interface Person {
  readonly name: string;
  /** The id of the person in the management API; absent in sessions that began before it was stored. */
  readonly subject?: string | undefined;
  /** The tenant of the person; empty for an operator without one. */
  readonly tenant: string;
  /** True if the person has access to every tenant. */
  readonly isOperator: boolean;
  /** The role, read from the management API after signing in and whenever the ID token is refreshed. */
  readonly role?: Role | undefined;
}

/** Returns the role of a person. While it is not known, nothing is offered that a viewer may not do. */
export const roleOf = ({ isOperator, role = 'viewer' }: Pick<Person, 'isOperator' | 'role'>): Role =>
  isOperator ? 'operator' : role;

const REVIEW_FORMS = /^\/console\/t\/[^/]+\/images\/(next|[^/]+\/(claim|examine|release|review))$/;

/** Returns whether a form is offered to a person. The management API refuses what it does not allow, offered or not. */
export function maySubmit(person: Pick<Person, 'isOperator' | 'role'>, action: string): boolean {
  if (isOwnCredentialPath(action) || action === '/console/sign-out') return true;
  return includesRole(roleOf(person), REVIEW_FORMS.test(action) ? 'reviewer' : 'admin');
}

/** The user pool no longer refreshes the session: the person was removed or disabled, or signed out everywhere. */
export class SessionEnded extends Error {}

/** Tokens of the user pool. The ID token is the person's credential at the management API. */
export interface Tokens {
  readonly idToken: string;
  /** The time at which the ID token expires, in milliseconds. */
  readonly idTokenUntil: number;
  readonly refreshToken: string;
}

export interface Session {
  readonly person: Person;
  readonly tokens: Tokens;
  /** The time of the sign-in, in milliseconds. */
  readonly signedInAt: number;
  /** The time of the last request, accurate to `LAST_REQUEST_WRITE_MILLIS`. */
  readonly lastRequestAt: number;
  /** True if the person has entered a code of an authenticator app in this session. */
  readonly hasEnteredCode?: boolean | undefined;
}

const MINUTE = 60_000;
/** The least time without requests after which a session ends; it ends up to `LAST_REQUEST_WRITE_MILLIS` later. */
const IDLE_MILLIS = 30 * MINUTE;
/** The longest session. The refresh token of the user pool ends at the same time. */
const MAX_SESSION_MILLIS = 12 * 60 * MINUTE;
/** The interval at which the last request is stored, so that not every request writes the session. */
const LAST_REQUEST_WRITE_MILLIS = 5 * MINUTE;
/** An ID token that expires sooner than this is refreshed before it is used. */
const REFRESH_BEFORE_EXPIRY_MILLIS = MINUTE;

/**
 * The time at which the session ends without further requests, in milliseconds: 30 to 35 minutes after the last request,
 * because the stored time may be five minutes older.
 */
export const endOf = ({ signedInAt, lastRequestAt }: Pick<Session, 'signedInAt' | 'lastRequestAt'>): number =>
  Math.min(lastRequestAt + IDLE_MILLIS + LAST_REQUEST_WRITE_MILLIS, signedInAt + MAX_SESSION_MILLIS);

export const isOver = (session: Pick<Session, 'signedInAt' | 'lastRequestAt'>, now: number): boolean =>
  endOf(session) <= now;

export const needsLastRequestUpdate = ({ lastRequestAt }: Pick<Session, 'lastRequestAt'>, now: number): boolean =>
  now - lastRequestAt >= LAST_REQUEST_WRITE_MILLIS;

export const needsRefresh = ({ idTokenUntil }: Tokens, now: number): boolean =>
  idTokenUntil - now < REFRESH_BEFORE_EXPIRY_MILLIS;

/** Returns the key under which a session is stored. It is a hash, so that the table reveals no session id. */
export const sessionKeyOf = (sessionId: string): string => createHash('sha256').update(sessionId).digest('base64url');
