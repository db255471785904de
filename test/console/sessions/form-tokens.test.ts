import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FormTokens } from '../../../functions/console/sessions/form-tokens.ts';
import { newSessionId } from '../../../functions/console/sessions/sealed-tokens.ts';

describe('the token of a form', () => {
  const forms = new FormTokens(newSessionId());

  it('is known to its session, and each has a nonce of its own', () => {
    const made = Array.from({ length: 100 }, () => forms.make());
    const nonces = made.map((token) => forms.nonceIn(token));
    expect(nonces).not.toContain(undefined);
    expect(new Set(nonces).size).toBe(100);
  });

  it('is unknown to every other session', () => {
    expect(new FormTokens(newSessionId()).nonceIn(forms.make())).toBeUndefined();
  });

  it('cannot be made up or changed', () => {
    const token = forms.make();
    fc.assert(
      fc.property(
        fc.nat(token.length - 1),
        fc.constantFrom('a', 'b', 'X', 'Y', '0', '9', '-', '_', '.'),
        (at, letter) => {
          const changed = token.slice(0, at) + letter + token.slice(at + 1);
          // The last letter of base64url holds bits that are not used.
          if (changed !== token && at < token.length - 1) expect(forms.nonceIn(changed)).toBeUndefined();
        },
      ),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(forms.nonceIn(text)).toBeUndefined();
      }),
    );
  });
});
