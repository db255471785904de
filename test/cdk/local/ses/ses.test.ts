import { GetAccountCommand, SESv2Client, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MetricStore } from '../../../../cdk/local/cloudwatch/metric-store.ts';
import type { Credentials } from '../../../../cdk/local/endpoint/endpoint.ts';
import { Identities } from '../../../../cdk/local/ses/identities.ts';
import { Outbox } from '../../../../cdk/local/ses/outbox.ts';
import { SesService } from '../../../../cdk/local/ses/ses-service.ts';
import {
  ACCOUNT_ID,
  allowing,
  type Condition,
  type LocalEndpoint,
  REGION,
  startLocalEndpoint,
} from '../../../support/cloud/local-endpoint.ts';

const SENT_AT = new Date('2026-03-01T12:30:00Z');
const identityArn = (name: string) => `arn:aws:ses:${REGION}:${ACCOUNT_ID}:identity/${name}`;

let endpoint: LocalEndpoint;
const outbox = new Outbox(null);
const metrics = new MetricStore(() => SENT_AT);

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  const identities = new Identities(REGION, ACCOUNT_ID);
  identities.add('example.com');
  identities.add('Ann@Mail.example.org');
  endpoint.add(new SesService({ identities, outbox, region: REGION, now: () => SENT_AT, metrics }));
});
afterAll(() => endpoint.close());

const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });
const simple = (Text = 'text'): SendEmailCommandInput => ({
  FromEmailAddress: 'shop@example.com',
  Destination: { ToAddresses: ['customer@elsewhere.net'] },
  Content: { Simple: { Subject: utf8('subject'), Body: { Text: utf8(Text) } } },
});

const send = (input: SendEmailCommandInput, credentials?: Credentials) =>
  new SESv2Client(endpoint.clientOptions(credentials)).send(new SendEmailCommand(input));

/** The mail that this call sends. */
async function sent(input: SendEmailCommandInput, credentials?: Credentials) {
  const { MessageId } = await send(input, credentials);
  const mail = outbox.mails.find(({ messageId }) => messageId === MessageId);
  if (!mail) throw new Error(`There is no mail ${MessageId}.`);
  return mail;
}

/** The sum of a metric of all mails that were sent. */
const sumOf = (name: string) =>
  metrics.samples({ namespace: 'AWS/SES', name, dimensions: {} }, 0, SENT_AT.getTime() + 60_000)?.sum ?? 0;

test('a mail to the bouncing address of the mailbox simulator is measured as come back', async () => {
  const [sent, bounced, delivered] = ['Send', 'Bounce', 'Delivery'].map(sumOf);
  for (const to of ['bounce@simulator.amazonses.com', 'bounce+1@simulator.amazonses.com', 'bounce@example.com']) {
    await send({ ...simple(), Destination: { ToAddresses: [to] } });
  }
  expect(['Send', 'Bounce', 'Delivery'].map(sumOf)).toEqual([sent! + 3, bounced! + 2, delivered! + 1]);
});

describe('a mail', () => {
  test('arrives in the outbox with its members and as a text that servers would hand on', async () => {
    const mail = await sent({
      FromEmailAddress: '"The Shop" <shop@example.com>',
      Destination: {
        ToAddresses: ['Customer <customer@elsewhere.net>'],
        CcAddresses: ['boss@elsewhere.net'],
        BccAddresses: ['audit@elsewhere.net'],
      },
      ReplyToAddresses: ['help@example.com'],
      Content: {
        Simple: {
          Subject: utf8('Grüße'),
          Body: { Text: utf8('Zwölf\nZeilen') },
        },
      },
    });
    expect(mail).toMatchObject({
      sentAt: SENT_AT,
      from: 'shop@example.com',
      recipients: ['customer@elsewhere.net', 'boss@elsewhere.net', 'audit@elsewhere.net'],
      subject: 'Grüße',
      text: 'Zwölf\nZeilen',
    });
    expect(mail.html).toBeUndefined();
    expect(mail.raw.toString().split('\r\n')).toEqual([
      'From: "The Shop" <shop@example.com>',
      'To: Customer <customer@elsewhere.net>',
      'Cc: boss@elsewhere.net',
      'Reply-To: help@example.com',
      'Subject: =?UTF-8?B?R3LDvMOfZQ==?=',
      'Date: Sun, 01 Mar 2026 12:30:00 +0000',
      `Message-ID: <${mail.messageId}@email.amazonses.com>`,
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=UTF-8',
      'Content-Transfer-Encoding: 8bit',
      '',
      'Zwölf',
      'Zeilen',
    ]);
  });

  test('may have a text and a page, of which readers choose one', async () => {
    const mail = await sent({
      ...simple(),
      Content: { Simple: { Subject: utf8('both'), Body: { Text: utf8('plain'), Html: utf8('<p>rich</p>') } } },
    });
    expect(mail).toMatchObject({ text: 'plain', html: '<p>rich</p>' });
    const raw = mail.raw.toString();
    const boundary = /boundary="([^"]+)"/.exec(raw)?.[1];
    const parts = raw.split(`--${boundary}`);
    expect(parts).toHaveLength(4);
    expect(parts[1]).toContain('text/plain');
    expect(parts[1]).toContain('plain');
    expect(parts[2]).toContain('text/html');
    expect(parts[2]).toContain('<p>rich</p>');
    expect(parts[3]).toBe('--\r\n');
  });

  test('has a long subject split into encoded words of valid length', async () => {
    const subject = 'äöü '.repeat(40);
    const mail = await sent({
      ...simple(),
      Content: { Simple: { Subject: utf8(subject), Body: { Text: utf8('x') } } },
    });
    const folded = /Subject: ((?:.+\r\n )*.+)\r\n/.exec(mail.raw.toString())?.[1] ?? '';
    const words = folded.split('\r\n ');
    expect(words.length).toBeGreaterThan(1);
    for (const word of words) expect(word.length).toBeLessThanOrEqual(75);
    const decoded = words.map((word) => Buffer.from(word.slice(10, -2), 'base64').toString());
    expect(decoded.join('')).toBe(subject);
  });

  test('loses characters outside ASCII when it names no character set, as on AWS', async () => {
    const mail = await sent({
      ...simple(),
      Content: { Simple: { Subject: { Data: 'Grüße' }, Body: { Text: { Data: '12 €' } } } },
    });
    expect(mail).toMatchObject({ subject: 'Gr??e', text: '12 ?' });
  });
});

describe('a sender', () => {
  test.each(['shop@example.com', 'any@EXAMPLE.com', 'deep@a.b.example.com', 'Ann@mail.example.org'])(
    'of a verified address or domain may send: %s',
    async (FromEmailAddress) => {
      expect((await sent({ ...simple(), FromEmailAddress })).from).toBe(FromEmailAddress);
    },
  );

  test.each(['ann@mail.example.org', 'other@mail.example.org', 'shop@example.com.net', 'shop@notexample.com'])(
    'who is not verified is rejected: %s',
    async (FromEmailAddress) => {
      const before = outbox.mails.length;
      await expect(send({ ...simple(), FromEmailAddress })).rejects.toMatchObject({
        name: 'MessageRejected',
        message: `Email address is not verified. The following identities failed the check in region US-EAST-1: ${FromEmailAddress}`,
      });
      expect(outbox.mails).toHaveLength(before);
    },
  );
});

describe('a call is refused', () => {
  test.each<[string, SendEmailCommandInput]>([
    ['without a sender', { ...simple(), FromEmailAddress: undefined }],
    ['with a sender that is no address', { ...simple(), FromEmailAddress: 'shop' }],
    ['with a line break in a name', { ...simple(), FromEmailAddress: 'Shop\r\nBcc: x@y.net <shop@example.com>' }],
    ['with a line break in the subject', withSubject('a\r\nBcc: x@y.net')],
    ['without recipients', { ...simple(), Destination: {} }],
    ['with 51 recipients', { ...simple(), Destination: { ToAddresses: Array(51).fill('a@b.net') } }],
    ['with a template', { ...simple(), Content: { Template: { TemplateName: 't' } } }],
    ['with a complete mail', { ...simple(), Content: { Raw: { Data: Buffer.from('a: b\r\n\r\n') } } }],
    ['with a header of its own', withHeader('X-Own', 'value')],
    ['with a configuration set', { ...simple(), ConfigurationSetName: 'set' }],
  ])('%s', async (_, input) => {
    const before = outbox.mails.length;
    await expect(send(input)).rejects.toMatchObject({
      name: 'BadRequestException',
      $metadata: { httpStatusCode: 400 },
    });
    expect(outbox.mails).toHaveLength(before);
  });

  test('of an unsupported operation', async () => {
    await expect(new SESv2Client(endpoint.clientOptions()).send(new GetAccountCommand())).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });

  test('without a signature, in the format of the service', async () => {
    const response = await fetch(`${endpoint.url}/v2/email/outbound-emails`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(403);
    expect(response.headers.get('content-type')).toBe('application/json');
  });
});

describe('a role', () => {
  let roles = 0;
  const may = (action: string, resource: string, condition?: Condition) =>
    endpoint.role(`may${++roles}`, allowing(action, resource, condition));
  const denied = { name: 'AccessDeniedException', $metadata: { httpStatusCode: 403 } };

  test('sends by the identity that it may use, and by no other', async () => {
    const byDomain = may('ses:SendEmail', identityArn('example.com'));
    expect((await sent(simple(), byDomain)).from).toBe('shop@example.com');
    const ann = { ...simple(), FromEmailAddress: 'Ann@mail.example.org' };
    await expect(send(ann, byDomain)).rejects.toMatchObject(denied);
    expect((await sent(ann, may('ses:SendEmail', identityArn('Ann@Mail.example.org')))).from).toBe(
      'Ann@mail.example.org',
    );
    const unverified = { ...simple(), FromEmailAddress: 'x@unverified.net' };
    await expect(send(unverified, byDomain)).rejects.toMatchObject(denied);
  });

  test('may be held to a sender and to recipients', async () => {
    const fromShop = { StringEquals: { 'ses:FromAddress': 'shop@example.com' } };
    const shop = may('ses:SendEmail', identityArn('example.com'), fromShop);
    expect((await sent({ ...simple(), FromEmailAddress: 'Shop <shop@example.com>' }, shop)).from).toBe(
      'shop@example.com',
    );
    await expect(send({ ...simple(), FromEmailAddress: 'boss@example.com' }, shop)).rejects.toMatchObject(denied);

    const toUs = { 'ForAllValues:StringLike': { 'ses:Recipients': ['*@elsewhere.net'] } };
    const inHouse = may('ses:SendEmail', identityArn('example.com'), toUs);
    expect((await sent(simple(), inHouse)).recipients).toEqual(['customer@elsewhere.net']);
    const beyond = { ToAddresses: ['customer@elsewhere.net'], BccAddresses: ['spy@abroad.net'] };
    await expect(send({ ...simple(), Destination: beyond }, inHouse)).rejects.toMatchObject(denied);
  });
});

function withSubject(subject: string): SendEmailCommandInput {
  return { ...simple(), Content: { Simple: { Subject: utf8(subject), Body: { Text: utf8('x') } } } };
}

function withHeader(Name: string, Value: string): SendEmailCommandInput {
  const message = { Subject: utf8('x'), Body: { Text: utf8('x') }, Headers: [{ Name, Value }] };
  return { ...simple(), Content: { Simple: message } };
}
