import { describe, expect, it } from 'vitest';
import { EmailAddress } from '../../../shared/formats/email-address.ts';

describe('a mail address', () => {
  it.each([
    ['dana@example.com', true],
    [`${'a'.repeat(64)}@example.com`, true],
    [`${'a'.repeat(65)}@example.com`, false],
    [`${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.com`, true],
    [`${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.info`, true],
    [`${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.info`, false],
    ['dana', false],
  ])('%s is taken: %s', (address, isTaken) => {
    expect(EmailAddress.safeParse(address).success).toBe(isTaken);
  });
});
