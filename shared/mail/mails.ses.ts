import { BadRequestException, MessageRejected, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { callLimits } from '#shared/quotas/call-limits';
import type { Mail } from './mail.ts';

let ownClient: SESv2Client | undefined;

/** @param sender a verified identity; if empty, no mails are sent. @param client @default one for the function */
export const mails = (sender: string, client?: SESv2Client) => ({
  /** Sends a mail; false if SES will never accept it, however often it is retried. */
  async send({ to, subject, text }: Mail): Promise<boolean> {
    if (sender === '') return true;
    ownClient ??= new SESv2Client({ maxAttempts: 4, requestHandler: callLimits(5_000) });
    const utf8 = (data: string) => ({ Data: data, Charset: 'UTF-8' });
    const mail = new SendEmailCommand({
      FromEmailAddress: sender,
      Destination: { ToAddresses: [to] },
      Content: { Simple: { Subject: utf8(subject), Body: { Text: utf8(text) } } },
    });
    try {
      await (client ?? ownClient).send(mail);
      return true;
    } catch (error) {
      if (error instanceof MessageRejected || error instanceof BadRequestException) return false;
      throw error;
    }
  },
});
