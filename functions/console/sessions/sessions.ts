import type { Session } from './session.ts';

/** The stored sessions. An id is known to its browser alone: who reads the table cannot open one. */
export interface Sessions {
  /** Stores a new session. The id must be new. */
  readonly add: (sessionId: string, session: Session) => Promise<void>;
  /** The session of an id, over or not; undefined if there is none. */
  readonly byId: (sessionId: string) => Promise<Session | undefined>;
  /** Notes that the person was seen, and new tokens where there are any. A session that has ended stays so. */
  readonly note: (sessionId: string, session: Session) => Promise<void>;
  readonly end: (sessionId: string) => Promise<void>;
}
