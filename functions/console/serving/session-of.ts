import type { HttpEvent } from '#shared/http/http-handler';
import { FormTokens } from '../sessions/form-tokens.ts';
import { needsCode, type SecondFactorRule } from '../sessions/second-factor.ts';
import { isOver, needsLastRequestUpdate, needsRefresh, type Session } from '../sessions/session.ts';
import { type CookieRules, sessionIdIn } from '../sessions/session-cookie.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { People } from '../sign-in/people.ts';

/** The session of a request, with the id that only its browser has. */
export interface OpenSession extends Session {
  readonly id: string;
  readonly forms: FormTokens;
}

export interface SessionParts extends SecondFactorRule {
  readonly sessions: Sessions;
  readonly people: People;
  readonly cookies: CookieRules;
}

/** Returns the session of a request, with a valid ID token; undefined if there is none or it has ended. */
export async function sessionOf(parts: SessionParts, event: HttpEvent, now: number): Promise<OpenSession | undefined> {
  const id = sessionIdIn(event.cookies ?? [], parts.cookies);
  const stored = id === undefined ? undefined : await parts.sessions.byId(id);
  if (id === undefined || !stored) return undefined;
  const current = isOver(stored, now) ? undefined : await upToDate(parts, stored, now);
  if (!current) {
    await parts.sessions.end(id);
    return undefined;
  }
  if (current !== stored) await parts.sessions.note(id, current);
  return { ...current, id, forms: new FormTokens(id) };
}

/** Returns whether the person must set up an authenticator app before anything else. */
export const lacksCode = (rule: SecondFactorRule, { person, hasEnteredCode = false }: Session): boolean =>
  needsCode(rule, person) && !hasEnteredCode;

/**
 * Refreshes a session; returns the same object if nothing changes, undefined if the person may no longer be signed in.
 */
async function upToDate({ people }: SessionParts, session: Session, now: number): Promise<Session | undefined> {
  if (needsRefresh(session.tokens, now)) {
    const refreshed = await people.refresh(session.tokens, now);
    return refreshed && { ...session, ...refreshed, lastRequestAt: now };
  }
  return needsLastRequestUpdate(session, now) ? { ...session, lastRequestAt: now } : session;
}
