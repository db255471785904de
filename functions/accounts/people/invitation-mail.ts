import type { Mail } from '#shared/mail/mail';
import { presentPerson, type WithPassword } from './person.ts';

/** The mail with the password for one sign-in. @param consoleUrl the address of the console */
const invitationMail = ({ person, temporaryPassword }: WithPassword, consoleUrl: string): Mail => ({
  to: person.email ?? person.id,
  subject: 'Sign in to the console',
  text: [
    `Hello ${person.name},`,
    '',
    `You can sign in to the console of the account ${person.tenant}:`,
    '',
    `Address   ${consoleUrl}`,
    `Name      ${person.id}`,
    `Password  ${temporaryPassword}`,
    '',
    'The password works once, within seven days: you choose another one when you sign in.',
  ].join('\n'),
});

interface Mailing {
  /** False if the deployment sends no mails. */
  readonly sends: boolean;
  /** Sends a mail; false if mails to this address are refused for good. */
  readonly sender: { send(mail: Mail): Promise<boolean> };
  readonly consoleUrl: string;
}

/** Mails the password, or shows it: where the deployment sends no mails, and where the address takes none. */
export async function handOver(invited: WithPassword, { sends, sender, consoleUrl }: Mailing) {
  const { person, temporaryPassword } = invited;
  const mailed = sends && person.email !== undefined && (await sender.send(invitationMail(invited, consoleUrl)));
  return { ...presentPerson(person), mailed, ...(!mailed && { temporaryPassword }) };
}
