import type { Session } from './session.ts';

/** The stored sessions. Only the browser has the id, so reading the table does not open a session. */
export interface Sessions {
  /** Stores a new session. The id must be new. */
  readonly add: (sessionId: string, session: Session) => Promise<void>;
  /** Reads the session of an id, even if it has ended; undefined if there is none. */
  readonly byId: (sessionId: string) => Promise<Session | undefined>;
  /** Stores the time of the last request and the current tokens. A deleted session stays deleted. */
  readonly note: (sessionId: string, session: Session) => Promise<void>;
  readonly end: (sessionId: string) => Promise<void>;
}
