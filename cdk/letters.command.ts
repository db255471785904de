/** npm run letters: counts dead letters, lists and shows those of a queue, drops one, or sends them back to work. */
import { type Message, SQSClient } from '@aws-sdk/client-sqs';
import { runCommandLine } from '#shared/command/command';
import { STAGE_OPTION, wrongCall } from '#shared/command/command-line';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { DeadLetters, sentAt } from '#shared/queue/dead-letters.sqs';

const OUTPUT = 'DeadLetters';
const LINE_CHARACTERS = 100;

const LINE = {
  script: 'letters',
  about: `Counts the dead letters of every queue. With a queue: lists its dead letters, shows one whole, drops one, or sends
all of them back to the queue that they came from.`,
  options: {
    stage: STAGE_OPTION,
    show: { value: 'ID', about: 'prints the letter with this id whole' },
    drop: { value: 'ID', about: 'deletes the letter with this id' },
    redrive: { about: 'sends all letters of the queue back to work' },
  },
  operands: { value: 'QUEUE', about: 'a queue, as the count without a name prints it' },
  example: '--stage prod Imports --redrive',
} as const;

await runCommandLine(LINE, async ({ values: { stage, show, drop, redrive }, operands: [queue, ...others] }) => {
  const acts = [show, drop, redrive || undefined].filter((act) => act !== undefined);
  if (others.length > 0 || acts.length > 1) throw wrongCall('One queue and one act at a time.');
  if (acts.length > 0 && queue === undefined) throw wrongCall('Which queue?');
  const deployment = await findDeployment(stage);
  const names = deployment.namesAfter(OUTPUT);
  const sqs = new SQSClient({ ...deployment.client, useQueueUrlAsEndpoint: false });
  const letters = new DeadLetters(sqs, (name) => deployment.output(`${OUTPUT}${name}`));
  if (queue === undefined) {
    for (const name of names) console.log(`${name}: ${(await letters.state(name)).waiting} dead letters`);
    return 0;
  }
  if (!names.includes(queue)) throw new Error(`There is no queue ${queue}; choose from ${names.join(', ')}.`);
  if (redrive) console.log(`${queue}: ${await letters.redrive(queue)} messages moved.`);
  else if (drop !== undefined) await letters.drop(queue, drop);
  else if (show !== undefined) console.log(whole(await letters.one(queue, show)));
  else await print(letters, queue);
  return 0;
});

async function print(letters: DeadLetters, queue: string): Promise<void> {
  const listed = await letters.list(queue);
  for (const letter of listed) console.log(lineOf(letter));
  const { waiting } = await letters.state(queue);
  if (waiting > listed.length) console.log(`${waiting - listed.length} more`);
}

function timeOf(letter: Message): string {
  return new Date(sentAt(letter)).toISOString();
}

function lineOf(letter: Message): string {
  const body = (letter.Body ?? '').replaceAll(/\s+/g, ' ');
  const text = body.length > LINE_CHARACTERS ? `${body.slice(0, LINE_CHARACTERS)}…` : body;
  return `${letter.MessageId}  ${timeOf(letter)}  ${text}`;
}

/** The attributes and the body of a letter, which are indented where it is JSON. */
function whole(letter: Message): string {
  const { MessageId, Attributes, MessageAttributes = {}, Body = '' } = letter;
  const attributes = Object.entries({
    ...Attributes,
    ...Object.fromEntries(Object.entries(MessageAttributes).map(([name, { StringValue }]) => [name, StringValue])),
  });
  return [
    `MessageId: ${MessageId}`,
    `Sent: ${timeOf(letter)}`,
    ...attributes.map(([name, value]) => `${name}: ${value}`),
    '',
    indented(Body),
  ].join('\n');
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
