/** The members of `SendEmail`. What is not listed is refused, because it would not be done. */
import { z } from 'zod';
import { hasControlCharacter } from './mail-address.ts';

const RECIPIENTS_MAX = 50;

const addresses = z.array(z.string().min(1)).max(RECIPIENTS_MAX).default([]);
/** SES sends ASCII when no character set is named, and other characters are lost. */
const content = z
  .strictObject({
    Data: z.string(),
    Charset: z
      .string()
      .regex(/^utf-?8$/i, { error: 'the local cloud composes mails in UTF-8' })
      .optional(),
  })
  .transform(({ Data, Charset }) => ({ Data: Charset === undefined ? Data.replaceAll(/[^\0-\u007f]/gu, '?') : Data }));

const simple = z.strictObject({
  Subject: content.refine(({ Data }) => !hasControlCharacter(Data), { error: 'has control characters' }),
  Body: z
    .strictObject({ Text: content.optional(), Html: content.optional() })
    .refine(({ Text, Html }) => Text !== undefined || Html !== undefined, { error: 'needs Text or Html' }),
});
export type SimpleMessage = z.output<typeof simple>;

export const SendEmailRequest = z.strictObject({
  FromEmailAddress: z.string().optional(),
  Destination: z
    .strictObject({ ToAddresses: addresses, CcAddresses: addresses, BccAddresses: addresses })
    .refine(
      ({ ToAddresses, CcAddresses, BccAddresses }) =>
        ToAddresses.length + CcAddresses.length + BccAddresses.length <= RECIPIENTS_MAX,
      { error: `Recipient count exceeds ${RECIPIENTS_MAX}.` },
    )
    .optional(),
  ReplyToAddresses: z.array(z.string()).default([]),
  Content: z.strictObject({ Simple: simple }),
});
export type SendEmailRequest = z.output<typeof SendEmailRequest>;
