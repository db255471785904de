import { isoTime } from '#shared/formats/timestamp';

/** A message of SQS, as far as it is shown. */
interface DeadLetter {
  readonly MessageId?: string | undefined;
  readonly Body?: string | undefined;
  readonly Attributes?: Readonly<Record<string, string>> | undefined;
  readonly MessageAttributes?: Readonly<Record<string, { readonly StringValue?: string | undefined }>> | undefined;
}

const BEGINNING_CHARACTERS = 200;

const factsOf = ({ MessageId: id = '', Attributes = {} }: DeadLetter) => ({
  id,
  sentAt: isoTime(Number(Attributes['SentTimestamp'])),
});

/** A dead letter in the list of its queue. */
export const lineOf = (letter: DeadLetter) => ({
  ...factsOf(letter),
  beginning: (letter.Body ?? '').replaceAll(/\s+/g, ' ').slice(0, BEGINNING_CHARACTERS),
});

/** A whole dead letter, with the attributes of the queue and of the message. */
export const presentDeadLetter = (letter: DeadLetter) => ({
  ...factsOf(letter),
  attributes: {
    ...letter.Attributes,
    ...Object.fromEntries(
      Object.entries(letter.MessageAttributes ?? {}).map(([name, { StringValue: text = '' }]) => [name, text]),
    ),
  },
  body: letter.Body ?? '',
});
