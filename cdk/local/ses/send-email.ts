/** `SendEmail`: who sends, to whom, by which permission, and the mail that results. */
import { randomUUID } from 'node:crypto';
import type { MetricStore } from '../cloudwatch/metric-store.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { operationsOf } from '../endpoint/json-service.ts';
import type { Identities } from './identities.ts';
import { type MailAddress, mailAddress } from './mail-address.ts';
import { composed } from './message.ts';
import type { Mail, Outbox } from './outbox.ts';
import { SendEmailRequest } from './request.ts';

export interface Post {
  readonly identities: Identities;
  readonly outbox: Outbox;
  readonly region: string;
  readonly now: () => Date;
  readonly metrics: MetricStore;
}

/** The limit of a mail in its final form. */
const MAIL_BYTES_MAX = 40 * 1024 * 1024;

/** Everything about the mail that permissions may ask for. */
interface Envelope {
  readonly sender: MailAddress;
  readonly recipients: readonly string[];
}

export const prepareMail = operationsOf<Post>('BadRequestException')(SendEmailRequest, (post, request) => {
  const envelope = envelopeOf(request);
  return {
    permissions: [permissionOf(post, envelope)],
    answer: () => {
      requireVerified(post, envelope.sender);
      const mail = mailOf(request, envelope, post.now());
      if (mail.raw.length > MAIL_BYTES_MAX)
        throw badRequest(`Message length is more than ${MAIL_BYTES_MAX} bytes long`);
      post.outbox.add(mail);
      measure(post, mail);
      return { MessageId: mail.messageId };
    },
  };
});

function envelopeOf({ FromEmailAddress, Destination }: SendEmailRequest): Envelope {
  if (FromEmailAddress === undefined) throw badRequest('FromEmailAddress is missing.');
  const recipients = Object.values(Destination ?? {})
    .flat()
    .map((text) => mailAddress(text).address);
  if (recipients.length === 0) throw badRequest('Missing recipients: Destination names none.');
  return { sender: mailAddress(FromEmailAddress), recipients };
}

/** An address that is not verified has no identity yet: a policy could only name the address itself. */
function permissionOf({ identities }: Post, { sender, recipients }: Envelope) {
  return {
    action: 'ses:SendEmail',
    resource: identities.arnOf(identities.of(sender) ?? sender.address),
    context: {
      'ses:ApiVersion': '2',
      'ses:FromAddress': sender.address,
      'ses:Recipients': recipients,
      ...(sender.displayName !== undefined && { 'ses:FromDisplayName': sender.displayName }),
    },
  };
}

function requireVerified({ identities, region }: Post, sender: MailAddress) {
  if (identities.of(sender) !== undefined) return;
  const where = region.toUpperCase();
  throw new CallRefusal(
    400,
    'MessageRejected',
    `Email address is not verified. The following identities failed the check in region ${where}: ${sender.address}`,
  );
}

function mailOf(request: SendEmailRequest, { sender, recipients }: Envelope, sentAt: Date): Mail {
  const messageId = `0100${sentAt.getTime().toString(16).padStart(12, '0')}-${randomUUID()}-000000`;
  const { Simple: simple } = request.Content;
  const from = request.FromEmailAddress ?? sender.address;
  return {
    messageId,
    sentAt,
    from: sender.address,
    recipients,
    subject: simple.Subject.Data,
    text: simple.Body.Text?.Data,
    html: simple.Body.Html?.Data,
    raw: Buffer.from(composed({ messageId, from, request, simple, sentAt })),
  };
}

/** The address of the mailbox simulator of SES whose mails come back. */
const BOUNCING = /^bounce(\+.*)?@simulator\.amazonses\.com$/;

function measure({ metrics }: Post, { recipients }: Mail): void {
  const names = ['Send', recipients.some((one) => BOUNCING.test(one)) ? 'Bounce' : 'Delivery'];
  for (const name of names) metrics.put({ namespace: 'AWS/SES', name, dimensions: {} }, 1, { unit: 'Count' });
}

const badRequest = (message: string) => new CallRefusal(400, 'BadRequestException', message);
