/** Faults of a deployment, and the alarm by which an operator hears of each. */
import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import type { Outage } from '../../../cdk/local/aws-failures/outages.ts';
import type { Breakdown } from '../../../cdk/local/lambda/faults.ts';
import { clientOptions, later } from '../cloud/local-cloud.ts';
import type { RunningService } from '../cloud/running-service.ts';
import type { queuesOf, requestsTo } from '../cloud/service-calls.ts';
import type { partsOf, QueueWorker } from '../cloud/service-parts.ts';
import { ConsoleVisitor } from '../console/console-visitor.ts';

export interface PlantedFault {
  readonly name: string;
  /** `webhooks/Faults`: the domain of the stack and the alarm. */
  readonly alarm: string;
  /** Breaks something. @returns what ends it, and cleans up */
  readonly plant: () => (() => unknown) | Promise<() => unknown>;
  /** The use that the fault hurts, once a minute. @default what the schedules do */
  readonly use?: () => Promise<unknown>;
}

export interface Plant {
  readonly service: RunningService;
  readonly requests: ReturnType<typeof requestsTo>;
  readonly queues: ReturnType<typeof queuesOf>;
  readonly parts: ReturnType<typeof partsOf>;
  /** Takes so long by the clock, and has this configuration. */
  readonly endpoint: { millis: number; configuration: string };
}

/** A worker that is busy: enough messages for several calls at the same time. */
const LOAD = 6;
const times = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

const CRASHES: readonly Breakdown[] = ['throws', 'times-out', 'fails-to-load', 'runs-out-of-memory'];

/** Workers of queues that fail at load, each in one of the ways in which functions crash. */
export const workerFaults = ({ service, queues, parts }: Plant): PlantedFault[] =>
  parts.workers.map((worker, n) => {
    const crash = CRASHES[n % CRASHES.length]!;
    return {
      name: `${worker.path} ${crash} at load`,
      alarm: `${worker.domain}/${isBusy(worker) ? 'BusyWorkerErrors' : 'WorkerErrors'}`,
      plant: () => {
        service.cloud.faults.breakDown(worker.path, crash);
        return async () => {
          service.cloud.faults.heal(worker.path);
          await service.cloud.settled();
          for (const queue of [worker.queue, worker.deadLetters]) await queues.purge(queue);
        };
      },
      use: () => times(LOAD, () => queues.send(worker)),
    };
  });

const isBusy = ({ path }: Pick<QueueWorker, 'path'>) => /Deliver(Fast|Slow)|ReceiveEvents|DispatchRuns/.test(path);

/** Readers of streams that fail. */
export const readerFaults = ({ service, requests, queues, parts }: Plant): PlantedFault[] =>
  parts.readers.map((reader, n) => {
    const crash = CRASHES[n % CRASHES.length]!;
    return {
      name: `${reader.path} ${crash}`,
      alarm: `${reader.domain}/${isBusy(reader) ? 'BusyWorkerErrors' : 'WorkerErrors'}`,
      plant: () => {
        service.cloud.faults.breakDown(reader.path, crash);
        return async () => {
          service.cloud.faults.heal(reader.path);
          await service.cloud.settled();
          await queues.purge(reader.deadLetters);
        };
      },
      use: () => requests.change(reader),
    };
  });

/** Schedules that have stopped. One of every hour is missed when the hour is over. */
export const scheduleFaults = ({ service, parts }: Plant, everyMinutes: 1 | 60): PlantedFault[] =>
  parts.scheduled
    .filter((one) => one.everyMinutes === everyMinutes)
    .map(({ schedule }) => ({
      name: `${schedule} has stopped`,
      alarm: schedule.endsWith('WatchEveryMinute') ? 'edge/Watch' : 'edge/Schedules',
      plant: async () => {
        service.cloud.runSchedule(schedule);
        await service.cloud.settled();
        service.cloud.enableSchedule(schedule, false);
        for (let minute = 1; minute < everyMinutes; minute += 1) await later(service.cloud, 60_000);
        return () => {
          service.cloud.enableSchedule(schedule, true);
          service.cloud.runSchedule(schedule);
        };
      },
    }));

/** Tables that throttle. */
export function tableFaults({ service, requests, parts }: Plant): PlantedFault[] {
  const { outputs } = service.cloud;
  return ['Accounts', 'Records', 'Webhooks', 'Conversions', 'Places', 'Images'].map((table) => ({
    name: `the table of ${table.toLowerCase()} throttles`,
    alarm: 'edge/TableThrottles',
    plant: () =>
      service.cloud.fail({
        service: 'dynamodb',
        naming: outputs[`${table}Table`]!,
        ending: { status: 400, code: 'ProvisionedThroughputExceededException' },
      }),
    use: async () => {
      const routed = parts.routed.filter(({ domain }) => domain === table.toLowerCase());
      await Promise.allSettled(
        [...routed, ...routed, ...routed, ...routed].slice(0, 15).map((one) => requests.request(one)),
      );
    },
  }));
}

/** The alarms of faults that callers of the API notice. */
export function apiFaults({ service, requests, parts, endpoint }: Plant): PlantedFault[] {
  const { cloud } = service;
  const rules = parts.routed.find(({ path }) => path.endsWith('/Rules'))!;
  const { path: authorizer } = parts.authorizers[0]!;
  const brokenBy = (path: string, crash: Breakdown) => () => {
    cloud.faults.breakDown(path, crash);
    return () => cloud.faults.heal(path);
  };
  return [
    {
      name: 'a route fails',
      alarm: 'edge/ApiErrors',
      plant: brokenBy(rules.path, 'throws'),
      use: () => requests.request(rules),
    },
    {
      name: 'a route fails at every one of many calls',
      alarm: 'edge/ApiOutage',
      plant: brokenBy(rules.path, 'fails-to-load'),
      use: () => times(21, () => requests.request(rules)),
    },
    {
      name: 'the authoriser fails',
      alarm: 'edge/ApiErrors',
      plant: brokenBy(authorizer, 'times-out'),
      use: () => requests.manage('GET', '/manage/v1/rules', undefined, `other-${crypto.randomUUID()}`),
    },
    {
      name: 'a function of the API is throttled',
      alarm: 'edge/ApiErrors',
      plant: () => () => undefined,
      use: async () => {
        cloud.faults.throttle(rules.path);
        await requests.request(rules);
      },
    },
    {
      name: 'a route loses its permissions',
      alarm: 'webhooks/Faults',
      plant: () => {
        cloud.denyAll(rules.path);
        return () => cloud.allow(rules.path);
      },
      use: () => requests.request(rules),
    },
    {
      name: 'a flood is answered with 429',
      alarm: 'edge/RefusedRequests',
      plant: () => () => undefined,
      use: () => times(300, () => service.call('/console/sign-in', { method: 'POST', body: '' })),
    },
    {
      name: 'somebody tries passwords',
      alarm: 'console/RefusedSignIns',
      plant: () => () => undefined,
      use: async () => {
        // Within the throttle of the route.
        for (let wave = 0; wave < 4; wave += 1) {
          await times(30, (n) => new ConsoleVisitor(service).signIn(`nobody-${wave}-${n}`, 'a wrong password'));
          cloud.clock.advance(2_000);
        }
      },
    },
    {
      name: 'one of a hundred answers takes long',
      alarm: 'edge/SlowAnswers',
      plant: async () => {
        endpoint.millis = 4_000;
        for (let call = 0; call < 15; call += 1) {
          await requests.made(`api-configurations/${endpoint.configuration}/test`, {});
        }
        endpoint.millis = 0;
        return () => undefined;
      },
      use: async () => {
        for (let wave = 0; wave < 10; wave += 1) await times(110, () => service.call('/nowhere'));
      },
    },
  ];
}

const DENIED = { status: 403, code: 'AccessDenied' } as const;

/** Services of AWS that refuse, or do not answer. */
export function outageFaults({ service, requests, queues, parts }: Plant): PlantedFault[] {
  const { cloud } = service;
  const { outputs } = cloud;
  const failing = (outage: Outage) => () => cloud.fail(outage);
  const route = (end: string) => parts.routed.find(({ path }) => path.endsWith(end))!;
  const worker = (end: string) => parts.workers.find(({ path }) => path.endsWith(end))!;
  const reader = (end: string) => parts.readers.find(({ path }) => path.endsWith(end))!;
  const convert = route('/Convert');
  let managementKey = '';
  /** Leaves no message behind that was given up. */
  const importing = (end: string, ending: Exclude<Outage['ending'], 'lost'>) => () => {
    const over = cloud.fail({ service: 's3', ending });
    return async () => {
      over();
      await cloud.settled();
      const { queue, deadLetters } = worker(end);
      for (const one of [queue, deadLetters]) await queues.purge(one);
    };
  };
  /** Begins when functions have forgotten what they read last. */
  async function unreadableSecrets() {
    await later(cloud, 5 * 60_000);
    await later(cloud, 5 * 60_000);
    return cloud.fail({ service: 'secretsmanager', ending: { status: 400, code: 'DecryptionFailure' } });
  }
  return [
    {
      name: 'the table of the meter does not answer',
      alarm: 'conversions/MeterUnanswered',
      plant: async () => {
        await requests.request(convert);
        return cloud.fail({ service: 'dynamodb', naming: outputs['ConversionsTable']!, ending: 'lost' });
      },
      // While the table does not answer, a function asks it again after a pause of seconds.
      async use() {
        for (let n = 0; n < 6; n += 1) {
          await requests.request(convert);
          await later(cloud, 4_000);
        }
      },
    },
    {
      name: 'imports may not read their files',
      alarm: 'records/Faults',
      plant: importing('/ImportRecords', DENIED),
      use: () => queues.send(worker('/ImportRecords')),
    },
    {
      name: 'imports of places may not read their files',
      alarm: 'places/Faults',
      plant: importing('/ImportPlaces', { status: 503, code: 'SlowDown' }),
      use: () => queues.send(worker('/ImportPlaces')),
    },
    {
      name: 'pictures cannot be stored',
      alarm: 'images/Faults',
      plant: failing({ service: 's3', ending: DENIED }),
      use: () => requests.submitImage().catch(() => undefined),
    },
    {
      name: 'the bus takes no events',
      alarm: 'places/Faults',
      plant: failing({ service: 'events', ending: { status: 500, code: 'InternalException' } }),
      use: () => requests.change(reader('Places/AnnounceCheckIns')),
    },
    {
      name: 'queues take no messages',
      alarm: 'webhooks/Faults',
      plant: failing({ service: 'sqs', naming: 'SendMessage', ending: DENIED }),
      use: () => requests.announce(),
    },
    {
      name: 'no execution can be started',
      alarm: 'images/Faults',
      plant: failing({ service: 'states', naming: 'StartExecution', ending: DENIED }),
      use: () => requests.change(reader('Images/AdvanceValidations')),
    },
    {
      name: 'an execution ends with an error of its own',
      alarm: 'images/WorkerErrors',
      plant: () => () => undefined,
      use: () =>
        new SFNClient(clientOptions(cloud)).send(
          new StartExecutionCommand({ stateMachineArn: machineOf(service), input: '{}' }),
        ),
    },
    {
      name: 'the key to the secrets of webhooks cannot be used',
      alarm: 'webhooks/Faults',
      plant: failing({ service: 'kms', ending: { status: 400, code: 'DisabledException' } }),
      use: () =>
        requests.manage('POST', '/manage/v1/api-configurations', {
          name: 'Other',
          targetUrl: 'https://example.com',
          authentication: { type: 'bearer', token: 'a token' },
        }),
    },
    {
      name: 'the secret of management keys cannot be read',
      alarm: 'edge/ApiErrors',
      plant: async () => {
        const { key } = await requests.made('accounts/demo/management-keys', { name: 'Fault', scopes: ['read'] });
        managementKey = key;
        return unreadableSecrets();
      },
      use: () => requests.listRules(managementKey),
    },
    {
      name: 'the secret of conversion keys cannot be read',
      alarm: 'conversions/Faults',
      plant: unreadableSecrets,
      use: () => requests.request(convert),
    },
    {
      name: 'the secret of anonymous tokens cannot be read',
      alarm: 'accounts/Faults',
      plant: unreadableSecrets,
      use: () => service.call('/priv/v1/apps/demo-app/anonymous_tokens', { method: 'POST', headers: DEMO_APP }),
    },
    {
      name: 'nobody has confirmed the mails of alarms',
      alarm: 'edge/Schedules',
      plant: () => {
        cloud.confirmSubscriptions(false);
        return () => cloud.confirmSubscriptions(true);
      },
    },
    {
      name: 'the watch cannot look',
      alarm: 'edge/Schedules',
      plant: failing({ service: 'cloudformation', ending: DENIED }),
    },
    {
      name: 'nobody can sign in',
      alarm: 'edge/ApiErrors',
      plant: failing({ service: 'cognito-idp', ending: { status: 500, code: 'InternalErrorException' } }),
      use: () => new ConsoleVisitor(service).signIn(),
    },
    {
      name: 'mails cannot be sent',
      alarm: 'accounts/Faults',
      plant: failing({ service: 'ses', ending: DENIED }),
      use: () => invite(requests, 'somebody@example.com'),
    },
    {
      name: 'a mail comes back',
      alarm: 'edge/BouncedMails',
      plant: () => () => undefined,
      use: () => invite(requests, 'bounce@simulator.amazonses.com'),
    },
    {
      name: 'work was given up',
      alarm: 'edge/DeadLetters',
      plant: async () => {
        const { path, queue, deadLetters } = worker('/ImportRecords');
        await queues.put(deadLetters, { queue, path });
        return () => queues.purge(deadLetters);
      },
    },
  ];
}

const DEMO_APP = { authorization: `Basic ${Buffer.from('demo-app:demo-secret').toString('base64')}` };

const machineOf = ({ cloud }: RunningService) =>
  cloud.stacks.flatMap(({ resources }) => resources).find(({ physicalId }) => physicalId.includes(':stateMachine:'))!
    .physicalId;

const invite = ({ manage }: Plant['requests'], email: string) =>
  manage('POST', '/manage/v1/people', { email, name: 'Somebody', role: 'viewer' });
