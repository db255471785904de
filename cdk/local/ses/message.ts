/** Composes a mail as the text that servers hand on. */
import { randomUUID } from 'node:crypto';
import type { SendEmailRequest, SimpleMessage } from './request.ts';

export interface Composition {
  readonly messageId: string;
  readonly from: string;
  readonly request: Pick<SendEmailRequest, 'Destination' | 'ReplyToAddresses'>;
  readonly simple: SimpleMessage;
  readonly sentAt: Date;
}

const LINE_END = '\r\n';

/** Returns a mail in the form in which servers exchange it. Blind copies appear in no header. */
export function composed({ messageId, from, request, simple, sentAt }: Composition): string {
  const { Destination, ReplyToAddresses } = request;
  const { Subject, Body } = simple;
  return [
    ['From', from] as const,
    ...addressHeader('To', Destination?.ToAddresses),
    ...addressHeader('Cc', Destination?.CcAddresses),
    ...addressHeader('Reply-To', ReplyToAddresses),
    ['Subject', encodedWords(Subject.Data)] as const,
    ['Date', sentAt.toUTCString().replace('GMT', '+0000')] as const,
    ['Message-ID', `<${messageId}@email.amazonses.com>`] as const,
    ['MIME-Version', '1.0'] as const,
  ]
    .map(([name, value]) => `${name}: ${value}${LINE_END}`)
    .join('')
    .concat(bodyOf(Body));
}

function addressHeader(name: string, addresses: readonly string[] = []): (readonly [string, string])[] {
  return addresses.length === 0 ? [] : [[name, addresses.join(', ')]];
}

function bodyOf({ Text, Html }: SimpleMessage['Body']): string {
  const parts = [...(Text ? [partOf('text/plain', Text.Data)] : []), ...(Html ? [partOf('text/html', Html.Data)] : [])];
  if (parts.length === 1) return parts.join('');
  const boundary = randomUUID();
  const separated = parts.map((part) => `--${boundary}${LINE_END}${part}${LINE_END}`).join('');
  const type = `Content-Type: multipart/alternative; boundary="${boundary}"${LINE_END}`;
  return `${type}${LINE_END}${separated}--${boundary}--${LINE_END}`;
}

/** Writes a part as 8-bit text, which a person can read in the file. */
function partOf(type: string, text: string): string {
  const head = [`Content-Type: ${type}; charset=UTF-8`, 'Content-Transfer-Encoding: 8bit', '', ''].join(LINE_END);
  return head + text.replaceAll(/\r?\n/g, LINE_END);
}

/** RFC 2047. An encoded word has at most 75 characters, so a long subject becomes several. */
function encodedWords(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > 45) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  const encoded = [...words, word].map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`);
  return encoded.join(`${LINE_END} `);
}
