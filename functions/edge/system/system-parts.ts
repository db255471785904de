/** The outputs of a stack. The constructs that make queues and alarms put their addresses and names there. */
export interface StackOutputs {
  /** `five-services-prod-webhooks`. */
  readonly stack: string;
  readonly outputs: ReadonlyMap<string, string>;
}

/** How the names of these outputs begin; what follows is the name of the part. The constructs write them. */
export const QUEUE = 'Queue';
/** Of the queue with the same name behind it. */
export const DEAD_LETTERS = 'DeadLetters';
/** Of a stream: the records that its reader has given up. */
export const GIVEN_UP = 'GivenUp';
export const ALARM = 'Alarm';
/** The name of an alarm whose metric is the age of the oldest work that is due. */
export const DUE_WORK = 'DueWork';

export interface QueueAt {
  readonly name: string;
  readonly url: string;
}

export interface DeadLettersAt extends QueueAt {
  /** What `npm run redrive` calls it; absent where the letters cannot be sent back. */
  readonly redriveAs?: string;
}

export interface AlarmAt {
  readonly name: string;
  /** As CloudWatch names it. */
  readonly alarm: string;
}

/** What an operator looks at, wherever in the deployment it is. */
export interface SystemParts {
  readonly queues: readonly QueueAt[];
  readonly deadLetters: readonly DeadLettersAt[];
  readonly alarms: readonly AlarmAt[];
  readonly dueWork: readonly AlarmAt[];
}

/** Queues have names of their own; alarms and streams of several domains share theirs, and are told apart by the domain. */
export function partsIn(stacks: readonly StackOutputs[]): SystemParts {
  const all = stacks.flatMap(({ stack, outputs }) => {
    const domain = stack.slice(stack.lastIndexOf('-') + 1);
    return [...outputs].map(([key, value]) => ({ domain, key, value }));
  });
  const named = <Part>(prefix: string, part: (name: string, value: string, domain: string) => Part): Part[] =>
    all
      .filter(({ key }) => key.startsWith(prefix) && key.length > prefix.length)
      .map(({ domain, key, value }) => part(key.slice(prefix.length), value, domain));
  return {
    queues: named(QUEUE, (name, url) => ({ name, url })),
    deadLetters: [
      ...named(DEAD_LETTERS, (name, url): DeadLettersAt => ({ name, url, redriveAs: name })),
      ...named(GIVEN_UP, (name, url, domain): DeadLettersAt => ({ name: `${domain}/${name}`, url })),
    ],
    alarms: named(ALARM, (name, alarm, domain) => ({ name: `${domain}/${name}`, alarm })),
    dueWork: named(DUE_WORK, (name, alarm, domain) => ({ name: `${domain}/${name}`, alarm })),
  };
}
