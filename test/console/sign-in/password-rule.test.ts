import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { passwordFault } from '../../../cdk/local/cognito/passwords.ts';
import { meetsPasswordRule } from '../../../functions/console/sign-in/password-rule.ts';

/** The policy of the stack. */
const POLICY = {
  minimumLength: 16,
  requireLowercase: true,
  requireUppercase: true,
  requireNumbers: true,
  requireSymbols: true,
};
const part = fc.constantFrom('aaaa', 'BBBB', '1234', '-_-_', '€uro', ' in ', 'z', 'Z', '9', '!', ' ');
const password = fc.array(part, { maxLength: 10 }).map((parts) => parts.join(''));

it('the rule for passwords is what the user pool accepts, but for spaces at the ends', () => {
  fc.assert(
    fc.property(password, (text) => {
      const isTrimmed = text === text.trim();
      expect(meetsPasswordRule(text)).toBe(isTrimmed && passwordFault(text, POLICY) === undefined);
    }),
    { numRuns: 2_000 },
  );
  expect(meetsPasswordRule(`Aa1-${'x'.repeat(252)}`)).toBe(true);
  expect(meetsPasswordRule(`Aa1-${'x'.repeat(253)}`)).toBe(false);
});
