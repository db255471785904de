import { createHash } from 'node:crypto';

/** Who is signed in, as the user pool names them. */
export interface Person {
  readonly name: string;
  /** What the management API calls the person; absent in sessions that began before it was kept. */
  readonly subject?: string | undefined;
  /** The tenant of the person; blank for an operator who belongs to none. */
  readonly tenant: string;
  /** May act for every tenant. */
  readonly isOperator: boolean;
}

/** Tokens of the user pool. The ID token is the person's credential at the management API. */
export interface Tokens {
  readonly idToken: string;
  /** When the ID token ends; milliseconds. */
  readonly idTokenUntil: number;
  readonly refreshToken: string;
}

export interface Session {
  readonly person: Person;
  readonly tokens: Tokens;
  /** Milliseconds. */
  readonly signedInAt: number;
  /** When the person was last seen, to within `NOTED_MILLIS`. */
  readonly seenAt: number;
  /** Whether the person has stated a code of an authenticator app since; absent in sessions that began before. */
  readonly hasStatedCode?: boolean | undefined;
}

const MINUTE = 60_000;
const IDLE_MILLIS = 30 * MINUTE;
/** The refresh token of the user pool ends at the same time. */
const LONGEST_MILLIS = 12 * 60 * MINUTE;
/** A page that is looked at often must not write the session each time. */
const NOTED_MILLIS = 5 * MINUTE;
/** An ID token that ends sooner is replaced before it is used. */
const REFRESHED_MILLIS = MINUTE;

/** When the session ends if nothing more is seen of the person; milliseconds. */
export const endOf = ({ signedInAt, seenAt }: Pick<Session, 'signedInAt' | 'seenAt'>): number =>
  Math.min(seenAt + IDLE_MILLIS + NOTED_MILLIS, signedInAt + LONGEST_MILLIS);

export const isOver = (session: Pick<Session, 'signedInAt' | 'seenAt'>, now: number): boolean => endOf(session) <= now;

export const needsNoting = ({ seenAt }: Pick<Session, 'seenAt'>, now: number): boolean => now - seenAt >= NOTED_MILLIS;

export const needsRefresh = ({ idTokenUntil }: Tokens, now: number): boolean => idTokenUntil - now < REFRESHED_MILLIS;

/** The key under which a session is stored: who reads the table learns no id that opens a session. */
export const sessionKeyOf = (sessionId: string): string => createHash('sha256').update(sessionId).digest('base64url');
