import { describe, expect, it } from 'vitest';
import { handOver } from '../../../functions/accounts/people/invitation-mail.ts';
import type { Person } from '../../../functions/accounts/people/person.ts';
import type { Mail } from '../../../shared/mail/mail.ts';

const RITA: Person = {
  id: 'rita@example.com',
  email: 'rita@example.com',
  name: 'Rita',
  tenant: 'acme',
  role: 'reviewer',
  active: true,
  createdAt: '2026-01-01T00:00:00.000Z',
};

/** Hands a password over. @param takes whether the address takes mails */
async function handedOver(person: Person, { sends = true, takes = true } = {}) {
  const mails: Mail[] = [];
  const sender = {
    send: async (mail: Mail) => {
      mails.push(mail);
      return takes;
    },
  };
  const mailing = { sends, sender, consoleUrl: 'https://api.example.com/console' };
  return { mails, answer: await handOver({ person, temporaryPassword: 'secret-1' }, mailing) };
}

describe('a temporary password', () => {
  it('is mailed with the name and the address of the console, and then not shown', async () => {
    const { mails, answer } = await handedOver(RITA);
    expect(mails).toMatchObject([{ to: 'rita@example.com' }]);
    for (const part of ['https://api.example.com/console', 'rita@example.com', 'secret-1', 'acme']) {
      expect(mails[0]?.text).toContain(part);
    }
    expect(answer).toMatchObject({ id: 'rita@example.com', mailed: true });
    expect(JSON.stringify(answer)).not.toContain('secret-1');
  });

  it.each([
    ['the deployment sends no mails', RITA, { sends: false }],
    ['the address takes none', RITA, { takes: false }],
    ['the person has no address', { ...RITA, id: 'rita', email: undefined }, {}],
  ])('is shown where %s', async (_why, person, how) => {
    expect((await handedOver(person, how)).answer).toMatchObject({ mailed: false, temporaryPassword: 'secret-1' });
  });
});
