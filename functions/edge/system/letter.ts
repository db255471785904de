import { isoTime } from '#shared/formats/timestamp';

/** A message of SQS, as far as it is shown. */
interface Letter {
  readonly MessageId?: string | undefined;
  readonly Body?: string | undefined;
  readonly Attributes?: Readonly<Record<string, string>> | undefined;
  readonly MessageAttributes?: Readonly<Record<string, { readonly StringValue?: string | undefined }>> | undefined;
}

const BEGINNING_CHARACTERS = 200;

const factsOf = ({ MessageId: id = '', Attributes = {} }: Letter) => ({
  id,
  sentAt: isoTime(Number(Attributes['SentTimestamp'])),
});

/** A letter in the list of its queue. */
export const lineOf = (letter: Letter) => ({
  ...factsOf(letter),
  beginning: (letter.Body ?? '').replaceAll(/\s+/g, ' ').slice(0, BEGINNING_CHARACTERS),
});

/** A whole letter, with the attributes of the queue and of the message. */
export const presentLetter = (letter: Letter) => ({
  ...factsOf(letter),
  attributes: {
    ...letter.Attributes,
    ...Object.fromEntries(
      Object.entries(letter.MessageAttributes ?? {}).map(([name, { StringValue: text = '' }]) => [name, text]),
    ),
  },
  body: letter.Body ?? '',
});
