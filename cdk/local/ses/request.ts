/** The members of `SendEmail`. What is not listed is refused, because it would not be done. */
import { z } from 'zod';
import { hasControlCharacter } from './mail-address.ts';

const RECIPIENTS_MAX = 50;
const HEADERS_MAX = 15;

const addresses = z.array(z.string().min(1)).max(RECIPIENTS_MAX).default([]);
/** Without a character set SES sends ASCII, and other characters are lost. */
const content = z
  .strictObject({
    Data: z.string(),
    Charset: z
      .string()
      .regex(/^utf-?8$/i, { error: 'the local cloud composes mails in UTF-8' })
      .optional(),
  })
  .transform(({ Data, Charset }) => ({ Data: Charset === undefined ? Data.replaceAll(/[^\0-\u007f]/gu, '?') : Data }));

/** The members of the request decide these, so a header of the caller's own must not. */
const OWN_HEADERS = new Set([
  'bcc',
  'cc',
  'content-disposition',
  'content-transfer-encoding',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'reply-to',
  'return-path',
  'sender',
  'subject',
  'to',
]);
const header = z.strictObject({
  Name: z
    .string()
    .regex(/^[!-9;-~]{1,126}$/)
    .refine((name) => !OWN_HEADERS.has(name.toLowerCase()), { error: 'is a header that cannot be added' }),
  Value: z.string().regex(/^[ -~]{0,995}$/),
});

const simple = z.strictObject({
  Subject: content.refine(({ Data }) => !hasControlCharacter(Data), { error: 'has control characters' }),
  Body: z
    .strictObject({ Text: content.optional(), Html: content.optional() })
    .refine(({ Text, Html }) => Text !== undefined || Html !== undefined, { error: 'needs Text or Html' }),
  Headers: z.array(header).max(HEADERS_MAX).default([]),
});
export type SimpleMessage = z.output<typeof simple>;

const raw = z.strictObject({ Data: z.base64().transform((text) => Buffer.from(text, 'base64')) });

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
  Content: z
    .strictObject({ Simple: simple.optional(), Raw: raw.optional() })
    .refine(({ Simple, Raw }) => (Simple === undefined) !== (Raw === undefined), {
      error: 'needs either Simple or Raw',
    }),
});
export type SendEmailRequest = z.output<typeof SendEmailRequest>;
