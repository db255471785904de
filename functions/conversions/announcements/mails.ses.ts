import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { callLimits } from '#shared/call-limits';
import type { Mail } from './confirmation.ts';

let ownClient: SESv2Client | undefined;

/** @param sender a verified identity; blank: mails are not sent. @param client @default one for the function */
export const mails = (sender: string, client?: SESv2Client) => ({
  async send({ to, subject, text }: Mail): Promise<void> {
    if (sender === '') return;
    ownClient ??= new SESv2Client({ maxAttempts: 4, requestHandler: callLimits(5_000) });
    const utf8 = (data: string) => ({ Data: data, Charset: 'UTF-8' });
    await (client ?? ownClient).send(
      new SendEmailCommand({
        FromEmailAddress: sender,
        Destination: { ToAddresses: [to] },
        Content: { Simple: { Subject: utf8(subject), Body: { Text: utf8(text) } } },
      }),
    );
  },
});
