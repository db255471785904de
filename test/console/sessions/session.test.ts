import { describe, expect, it } from 'vitest';
import { endOf, isOver, needsLastRequestUpdate, needsRefresh } from '../../../functions/console/sessions/session.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('a session', () => {
  it('ends half an hour after the person was last seen, for which a note every five minutes is exact enough', () => {
    const session = { signedInAt: 0, lastRequestAt: 0 };
    expect(isOver(session, 30 * MINUTE)).toBe(false);
    expect(isOver(session, 35 * MINUTE - 1)).toBe(false);
    expect(isOver(session, 35 * MINUTE)).toBe(true);
    expect(needsLastRequestUpdate(session, 5 * MINUTE - 1)).toBe(false);
    expect(needsLastRequestUpdate(session, 5 * MINUTE)).toBe(true);
  });

  it('ends after twelve hours however busy the person is', () => {
    expect(isOver({ signedInAt: 0, lastRequestAt: 12 * HOUR - 1 }, 12 * HOUR - 1)).toBe(false);
    expect(isOver({ signedInAt: 0, lastRequestAt: 12 * HOUR - 1 }, 12 * HOUR)).toBe(true);
    expect(endOf({ signedInAt: 0, lastRequestAt: 20 * HOUR })).toBe(12 * HOUR);
  });

  it('replaces an ID token in its last minute', () => {
    const tokens = { idToken: '', refreshToken: '', idTokenUntil: 15 * MINUTE };
    expect(needsRefresh(tokens, 14 * MINUTE)).toBe(false);
    expect(needsRefresh(tokens, 14 * MINUTE + 1)).toBe(true);
  });
});
