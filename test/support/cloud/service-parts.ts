/** What a synthesized service consists of, found in its templates: functions by the way they are called, and queues. */
import type { AssemblyStack } from '../../../cdk/local/assembly/assembly.ts';
import type { Breakdown } from '../../../cdk/local/lambda/faults.ts';
import { isThorough } from '../runner/thoroughness.ts';

interface Part {
  /** The path of its construct. */
  readonly path: string;
  /** The domain of the handler; of a queue, that of its stack. */
  readonly domain: string;
}

export interface RoutedFunction extends Part {
  /** As API Gateway names them: `GET /v3/users`. */
  readonly routes: readonly string[];
}

export interface QueueWorker extends Part {
  /** The path of its queue, and of where messages end that were given up. */
  readonly queue: string;
  readonly deadLetters: string;
}

interface ScheduledFunction extends Part {
  /** The path of its rule. */
  readonly schedule: string;
  /** The minutes between two runs. */
  readonly everyMinutes: number;
}

export interface StreamReader extends Part {
  /** The path of the queue of records that were given up, and when they are. */
  readonly deadLetters: string;
  readonly givesUpMinutes: number;
}

interface ServiceParts {
  /** Paths of all functions, however they are called. */
  readonly functions: readonly string[];
  readonly routed: readonly RoutedFunction[];
  /** What the gateway asks before it calls a routed function. */
  readonly authorizers: readonly Part[];
  readonly workers: readonly QueueWorker[];
  readonly scheduled: readonly ScheduledFunction[];
  readonly readers: readonly StreamReader[];
  /** What the states of a machine call. */
  readonly tasks: readonly Part[];
}

interface Resource {
  // oxlint-disable-next-line typescript/no-explicit-any -- properties of any resource type
  readonly Properties: Record<string, any>;
}

export function partsOf(stacks: readonly AssemblyStack[]): ServiceParts {
  const all = stacks.map(partsOfStack);
  return {
    functions: all.flatMap(({ functions }) => functions),
    routed: all.flatMap(({ routed }) => routed),
    authorizers: all.flatMap(({ authorizers }) => authorizers),
    workers: all.flatMap(({ workers }) => workers),
    scheduled: all.flatMap(({ scheduled }) => scheduled),
    readers: all.flatMap(({ readers }) => readers),
    tasks: all.flatMap(({ tasks }) => tasks),
  };
}

function partsOfStack({ template, pathOf }: AssemblyStack): ServiceParts {
  const resources: [string, Resource & { Type: string }][] = Object.entries(template.Resources);
  const of = (type: string): [string, Resource][] => resources.filter(([, { Type }]) => Type === type);
  // Only a deployment calls those of custom resources.
  const functions = of('AWS::Lambda::Function').filter(([id]) => !pathOf(id).includes('/Custom::'));
  const queues = new Map(of('AWS::SQS::Queue'));
  const mappings = of('AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties);
  /** Without the name of the resource itself at its end. */
  const constructPath = (id: string) => pathOf(id).replace(/\/Resource$/, '');
  const named = (id: string, { Properties }: Resource) => ({
    id,
    path: constructPath(id),
    domain: String(Properties['Description']).split('/')[0] ?? '',
  });
  const each = functions.map(([id, resource]) => named(id, resource));

  const routed = each.flatMap((one) => {
    const integrations = of('AWS::ApiGatewayV2::Integration').filter(([, own]) => refers(own, one.id));
    const routes = of('AWS::ApiGatewayV2::Route').filter(([, own]) => integrations.some(([id]) => refers(own, id)));
    return routes.length > 0 ? [{ ...one, routes: routes.map(([, own]) => String(own.Properties['RouteKey'])) }] : [];
  });
  const authorizers = each.filter(({ id }) => of('AWS::ApiGatewayV2::Authorizer').some(([, own]) => refers(own, id)));
  const sources = each.flatMap((one) =>
    mappings.filter(({ FunctionName }) => FunctionName.Ref === one.id).map((mapping) => ({ one, mapping })),
  );
  const workers = sources.flatMap(({ one, mapping }) => {
    const queue = mapping['EventSourceArn']['Fn::GetAtt']?.[0];
    if (queue === undefined) return [];
    const deadLetters = queues.get(queue)?.Properties['RedrivePolicy'].deadLetterTargetArn['Fn::GetAtt'][0];
    return [{ ...one, queue: constructPath(queue), deadLetters: constructPath(deadLetters) }];
  });
  const readers = sources.flatMap(({ one, mapping }) => {
    const onFailure = mapping['DestinationConfig']?.OnFailure.Destination['Fn::GetAtt'][0];
    const givesUpMinutes = mapping['MaximumRecordAgeInSeconds'] / 60;
    return onFailure === undefined ? [] : [{ ...one, deadLetters: constructPath(onFailure), givesUpMinutes }];
  });
  const scheduled = each.flatMap((one) => {
    const rules = of('AWS::Events::Rule').filter(
      ([, own]) => own.Properties['ScheduleExpression'] && refers(own, one.id),
    );
    return rules.map(([rule, { Properties }]) => ({
      ...one,
      schedule: constructPath(rule),
      everyMinutes: minutesOf(Properties['ScheduleExpression']),
    }));
  });
  const machines = of('AWS::StepFunctions::StateMachine');
  const tasks = each.filter(({ id }) => machines.some(([, own]) => refers(own, id)));
  return { functions: each.map(({ path }) => path), routed, authorizers, workers, scheduled, readers, tasks };
}

function minutesOf(expression: string): number {
  if (expression === 'rate(1 minute)') return 1;
  return expression.startsWith('cron(0 * ') ? 60 : 1_440;
}

const refers = ({ Properties }: Resource, id: string) => JSON.stringify(Properties).includes(`"${id}"`);

const CRASHES: readonly Breakdown[] = ['throws', 'times-out', 'fails-to-load', 'runs-out-of-memory'];

/** Every part with one kind of crash, and every kind of crash. */
export const crashing = <Part>(parts: readonly Part[]) =>
  Array.from({ length: Math.max(parts.length, CRASHES.length) }, (_, n) => ({
    ...parts[n % parts.length]!,
    crash: CRASHES[n % CRASHES.length]!,
  }));

const FEW_DOMAINS = 3;

/**
 * The first part of each of three domains; with thorough tests all parts. `cdk/stacks.test.ts` shows that alarms hear all
 * of every domain.
 */
export const ofFewDomains = <One extends Part>(parts: readonly One[]): readonly One[] =>
  isThorough
    ? parts
    : [...Map.groupBy(parts, ({ domain }) => domain).values()].slice(0, FEW_DOMAINS).map(([first]) => first!);

/** `loses a try`: whoever calls it, or it, dies before it has begun. */
type Harm = 'loses its permissions' | 'loses a try' | 'crashes';

/** How a part is harmed. */
export type Way = Exclude<Harm, 'crashes'> | Breakdown;
type Harmed<One> = One & { readonly way: Way };

/** Every kind of harm, each at a part of another domain; with thorough tests every part in every way and kind of crash. */
export function harmed<One extends Part>(
  parts: readonly One[],
  harms: readonly Harm[],
  /** The kind of crash where tests are not thorough. */
  oneCrash: Breakdown,
): readonly Harmed<One>[] {
  const wayOf = (harm: Harm, crash: Breakdown): Way => (harm === 'crashes' ? crash : harm);
  if (isThorough)
    return crashing(parts).flatMap((part) => harms.map((harm) => ({ ...part, way: wayOf(harm, part.crash) })));
  const some = ofFewDomains(parts);
  return harms.map((harm, n) => ({ ...some[n % some.length]!, way: wayOf(harm, oneCrash) }));
}
