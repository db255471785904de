/** `SendEmail`: who sends, to whom, by which permission, and the mail that results. */
import { randomUUID } from 'node:crypto';
import type { NeededPermission } from '../aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import type { JsonObject } from '../endpoint/json.ts';
import { parsedRequest } from '../endpoint/parsed-request.ts';
import type { Identities } from './identities.ts';
import { type MailAddress, mailAddress, mailAddresses } from './mail-address.ts';
import { composed, headersOf } from './message.ts';
import type { Mail, Outbox } from './outbox.ts';
import { SendEmailRequest } from './request.ts';

export interface Post {
  readonly identities: Identities;
  readonly outbox: Outbox;
  readonly region: string;
  readonly now: () => Date;
}

export interface PreparedMail {
  readonly permissions: readonly NeededPermission[];
  readonly send: () => { readonly MessageId: string };
}

/** Of a mail in its final form. */
const MAIL_BYTES_MAX = 40 * 1024 * 1024;
const RECIPIENTS_MAX = 50;

/** Everything about the mail that permissions may ask for. */
interface Envelope {
  /** The sender, and in a complete mail also those whom its head names. */
  readonly senders: readonly [MailAddress, ...MailAddress[]];
  readonly recipients: readonly string[];
}

export function prepareMail(post: Post, body: JsonObject): PreparedMail {
  const request = parsedRequest(SendEmailRequest, body, 'BadRequestException');
  const { Raw } = request.Content;
  const head = Raw && headOf(Raw.Data);
  const envelope = envelopeOf(request, head);
  // With complete mails the same call needs the permission of the older one that took only these.
  const action = Raw ? 'ses:SendRawEmail' : 'ses:SendEmail';
  return {
    permissions: envelope.senders.map((sender) => permissionOf(post, action, sender, envelope)),
    send: () => {
      requireVerified(post, envelope.senders);
      const mail = mailOf(request, envelope, { head, sentAt: post.now() });
      if (mail.raw.length > MAIL_BYTES_MAX) throw bad(`Message length is more than ${MAIL_BYTES_MAX} bytes long`);
      post.outbox.add(mail);
      return { MessageId: mail.messageId };
    },
  };
}

type Head = ReadonlyMap<string, string>;

function headOf(raw: Buffer): Head {
  const head = headersOf(raw);
  if (!head) throw bad('Message is not in the form of a mail: a header, an empty line, a body.');
  return head;
}

function envelopeOf({ FromEmailAddress, Destination }: SendEmailRequest, head: Head | undefined): Envelope {
  const named = ['from', 'sender', 'return-path'].flatMap((name) => mailAddresses(head?.get(name) ?? ''));
  if (head && !head.has('from')) throw bad("Missing required header 'From'.");
  const [first, ...others] = [...(FromEmailAddress === undefined ? [] : [mailAddress(FromEmailAddress)]), ...named];
  if (!first) throw bad('FromEmailAddress is missing.');
  const inHead = ['to', 'cc', 'bcc'].flatMap((name) => mailAddresses(head?.get(name) ?? ''));
  const given = Destination && Object.values(Destination).flat().map(mailAddress);
  const recipients = (given && given.length > 0 ? given : inHead).map(({ address }) => address);
  if (recipients.length === 0) throw bad('Missing recipients: Destination names none.');
  if (recipients.length > RECIPIENTS_MAX) throw bad(`Recipient count exceeds ${RECIPIENTS_MAX}.`);
  const repeated = (sender: MailAddress) => sender.address === first.address;
  return { senders: [first, ...others.filter((sender) => !repeated(sender))], recipients };
}

/** Of an address that is not verified there is no identity yet; a policy could only name the address itself. */
function permissionOf({ identities }: Post, action: string, sender: MailAddress, { recipients }: Envelope) {
  return {
    action,
    resource: identities.arnOf(identities.of(sender) ?? sender.address),
    context: {
      'ses:ApiVersion': '2',
      'ses:FromAddress': sender.address,
      'ses:Recipients': recipients,
      ...(sender.displayName !== undefined && { 'ses:FromDisplayName': sender.displayName }),
    },
  };
}

function requireVerified({ identities, region }: Post, senders: readonly MailAddress[]) {
  const failed = senders.filter((sender) => identities.of(sender) === undefined).map(({ address }) => address);
  if (failed.length === 0) return;
  const where = region.toUpperCase();
  throw new CallRefusal(
    400,
    'MessageRejected',
    `Email address is not verified. The following identities failed the check in region ${where}: ${failed.join(', ')}`,
  );
}

function mailOf(
  request: SendEmailRequest,
  { senders: [sender], recipients }: Envelope,
  { head, sentAt }: { readonly head: Head | undefined; readonly sentAt: Date },
): Mail {
  const messageId = `0100${sentAt.getTime().toString(16).padStart(12, '0')}-${randomUUID()}-000000`;
  const { Simple: simple, Raw } = request.Content;
  const common = { messageId, sentAt, from: sender.address, recipients };
  if (!simple) return { ...common, subject: head?.get('subject') ?? '', raw: Raw?.Data ?? Buffer.alloc(0) };
  const from = request.FromEmailAddress ?? sender.address;
  return {
    ...common,
    subject: simple.Subject.Data,
    text: simple.Body.Text?.Data,
    html: simple.Body.Html?.Data,
    raw: Buffer.from(composed({ messageId, from, request, simple, sentAt })),
  };
}

const bad = (message: string) => new CallRefusal(400, 'BadRequestException', message);
