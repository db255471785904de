import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newSessionId, opened, sealed, sessionKeyFor } from '../../../functions/console/sessions/sealed-tokens.ts';
import { sessionKeyOf } from '../../../functions/console/sessions/session.ts';

const tokens = fc.record({ idToken: fc.string(), idTokenUntil: fc.nat(), refreshToken: fc.string() });

describe('sealed tokens', () => {
  it('are opened by the id that sealed them, whatever they hold', () => {
    fc.assert(
      fc.property(tokens, (all) => {
        const id = newSessionId();
        expect(opened(sealed(all, id), id)).toEqual(all);
      }),
    );
  });

  it('are opened by no other id, and not by what is stored beside them', () => {
    const id = newSessionId();
    const bytes = sealed({ idToken: 'a', idTokenUntil: 1, refreshToken: 'b' }, id);
    for (const other of [newSessionId(), sessionKeyOf(id), '', id.slice(1)]) {
      expect(() => opened(bytes, other), other).toThrow();
    }
  });

  it('cannot be changed anywhere, cut short or lengthened', () => {
    const id = newSessionId();
    const bytes = sealed({ idToken: 'a', idTokenUntil: 1, refreshToken: 'b' }, id);
    for (const place of bytes.keys()) {
      const changed = Uint8Array.from(bytes, (byte, at) => (at === place ? byte ^ 1 : byte));
      expect(() => opened(changed, id), `byte ${place}`).toThrow();
    }
    expect(() => opened(bytes.subarray(0, -1), id)).toThrow();
    expect(() => opened(new Uint8Array([...bytes, 0]), id)).toThrow();
    expect(() => opened(new Uint8Array(3), id)).toThrow();
  });

  it('differ each time, so that nobody sees whether they have changed', () => {
    const id = newSessionId();
    const all = { idToken: 'a', idTokenUntil: 1, refreshToken: 'b' };
    expect(sealed(all, id)).not.toEqual(sealed(all, id));
  });

  it('have a key of their own, and ids are never the same', () => {
    const id = newSessionId();
    expect(sessionKeyFor(id, 'tokens')).not.toEqual(sessionKeyFor(id, 'forms'));
    expect(new Set(Array.from({ length: 1_000 }, newSessionId)).size).toBe(1_000);
    expect(id).toMatch(/^[\w-]{43}$/);
  });
});
