/** The outputs of a stack. The constructs that make queues and alarms put their addresses and names there. */
export interface StackOutputs {
  /** `five-services-prod-webhooks`. */
  readonly stack: string;
  readonly outputs: ReadonlyMap<string, string>;
}

/** The beginnings of the names of these outputs; the name of the part follows. The constructs write them. */
export const QUEUE = 'Queue';
/** The prefix of the dead-letter queue of the queue with the same name. */
export const DEAD_LETTERS = 'DeadLetters';
/** The prefix of the queue of records that the reader of a stream has given up. */
export const GIVEN_UP = 'GivenUp';
export const ALARM = 'Alarm';
/** The name of an alarm whose metric is the age of the oldest work that is due. */
export const DUE_WORK = 'DueWork';

/** The prefix of the name of a schedule, whose value is how many minutes lie between two runs. */
export const SCHEDULE = 'Schedule';

export interface QueueAt {
  readonly name: string;
  readonly url: string;
}

export interface DeadLettersAt extends QueueAt {
  /** The name for `npm run letters`; absent if the dead letters cannot be sent back. */
  readonly redriveAs?: string;
}

export interface AlarmAt {
  readonly name: string;
  /** The name in CloudWatch. */
  readonly alarm: string;
}

/** A schedule, by the name that its function records runs under. */
export interface ScheduleAt {
  readonly name: string;
  readonly everyMinutes: number;
}

/** The parts of the deployment that an operator watches. */
export interface SystemParts {
  readonly queues: readonly QueueAt[];
  readonly deadLetters: readonly DeadLettersAt[];
  readonly alarms: readonly AlarmAt[];
  readonly dueWork: readonly AlarmAt[];
  readonly schedules: readonly ScheduleAt[];
}

/** Names of queues are unique. Alarms and streams of several domains have the same names, and are distinguished by domain. */
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
    schedules: named(SCHEDULE, (name, minutes, domain) => ({
      name: `${domain}/${name}`,
      everyMinutes: Number(minutes),
    })),
  };
}
