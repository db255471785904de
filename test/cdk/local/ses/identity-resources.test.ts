import { readdirSync, readFileSync, statSync } from 'node:fs';
import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses';
import { describe, expect, it } from 'vitest';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import { functionOf, importing, invoke } from '../../../support/cloud/local-cloud.ts';
import { storedCloud } from '../../../support/cloud/stored-cloud.ts';

const SENDING = `
${importing('SESv2Client, SendEmailCommand', '@aws-sdk/client-sesv2')}
const client = new SESv2Client({});
export const handler = async ({ from }) => {
  const Simple = { Subject: { Data: 'Your link' }, Body: { Text: { Data: 'https://example.com/sign-in' } } };
  const Destination = { ToAddresses: ['customer@elsewhere.net'], BccAddresses: ['audit@elsewhere.net'] };
  try {
    return (await client.send(new SendEmailCommand({ FromEmailAddress: from, Destination, Content: { Simple } }))).MessageId;
  } catch (error) {
    return error.name;
  }
};`;

const stored = storedCloud();

const domain = (stack: Stack) => {
  const identity = new EmailIdentity(stack, 'Identity', { identity: Identity.domain('example.com') });
  identity.grantSendEmail(functionOf(stack, 'Sender', SENDING));
  functionOf(stack, 'Stranger', SENDING);
};

const sending = async (running: Cloud, name: string, from: string) =>
  (await invoke(running, running.functionName(name), { from })).payload;

describe('an identity of a template', () => {
  it('lets the functions send that may, and their mails become files for their owner only', async () => {
    const running = await stored.start(domain);
    const messageId = await sending(running, 'Sender', 'shop@example.com');
    expect(running.mails()).toMatchObject([
      { messageId, subject: 'Your link', text: 'https://example.com/sign-in', from: 'shop@example.com' },
    ]);
    expect(readdirSync(stored.pathOf('mail'))).toEqual([`${String(messageId)}.eml`]);
    const file = stored.pathOf('mail', `${String(messageId)}.eml`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [sender, recipients, ...mail] = readFileSync(file, 'utf8').split('\r\n');
    expect(sender).toBe('X-Envelope-From: shop@example.com');
    expect(recipients).toBe('X-Envelope-To: customer@elsewhere.net, audit@elsewhere.net');
    expect(mail).toContain('Subject: Your link');
    expect(mail.at(-1)).toBe('https://example.com/sign-in');

    expect(await sending(running, 'Stranger', 'shop@example.com')).toBe('AccessDeniedException');
    expect(await sending(running, 'Sender', 'shop@elsewhere.net')).toBe('AccessDeniedException');
    expect(running.mails()).toHaveLength(1);
  });

  it('sends without writing to disk when the cloud has no data folder', async () => {
    const running = await stored.start(domain, null);
    const messageId = await sending(running, 'Sender', 'shop@example.com');
    expect(running.mails()).toMatchObject([{ messageId }]);
    expect(readdirSync(stored.pathOf())).toEqual([]);
  });

  it('has the names that its domain would need, and a name to refer to', async () => {
    const running = await stored.start((stack) => {
      const identity = new EmailIdentity(stack, 'Identity', {
        identity: Identity.domain('example.com'),
        mailFromDomain: 'mail.example.com',
      });
      new CfnOutput(stack, 'Name', { value: identity.emailIdentityName });
      new CfnOutput(stack, 'Token', { value: identity.dkimDnsTokenName1 });
    });
    expect(running.outputs['Name']).toBe('example.com');
    expect(running.outputs['Token']).toMatch(/^[a-z0-9]{32}\._domainkey\.example\.com$/);
  });
});
