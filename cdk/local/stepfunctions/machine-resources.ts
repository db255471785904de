/** State machines. */
import { z } from 'zod';
import { physicalName } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import { ignored } from '../cloudformation/property.ts';
import {
  type DeclaredResource,
  type Provisioned,
  propertiesOf,
  type ResourceFamily,
} from '../cloudformation/resource-family.ts';
import { functionsOf, parseDefinition } from './language/definition.ts';
import type { StepFunctions } from './step-functions.ts';

/** The local cloud logs only that an execution failed, which every level but OFF includes. */
const LoggingConfiguration = z.strictObject({
  Level: z.enum(['FATAL', 'ERROR']),
  IncludeExecutionData: z.literal(false, { error: 'the local cloud logs no data of executions' }),
  Destinations: z.tuple([z.strictObject({ CloudWatchLogsLogGroup: z.strictObject({ LogGroupArn: z.string() }) })]),
});

const MachineProperties = z.strictObject({
  StateMachineName: z
    .string()
    .regex(/^[\w-]{1,80}$/, { error: 'not the name of a state machine' })
    .optional(),
  StateMachineType: z.literal('STANDARD', { error: 'the local cloud has standard workflows only' }).optional(),
  DefinitionString: z.string(),
  RoleArn: z.string(),
  LoggingConfiguration: LoggingConfiguration.optional(),
  // Traces go nowhere here.
  TracingConfiguration: ignored,
  EncryptionConfiguration: z
    .strictObject({
      Type: z.literal('AWS_OWNED_KEY', {
        error: 'the local cloud calls KMS for no machine, so a missing permission on the key would stay unnoticed',
      }),
    })
    .optional(),
  Tags: ignored,
});

export function stepFunctionsResources(cloud: CloudContext, { store, executor }: StepFunctions): ResourceFamily {
  const { functions, roles, now } = cloud;
  const { machines, executions } = store;
  const checks: (() => void)[] = [];

  const machine = (resource: DeclaredResource): Provisioned => {
    const properties = propertiesOf(resource, MachineProperties);
    const { RoleArn: roleArn, DefinitionString: definition } = properties;
    const parsed = parseDefinition(definition);
    roles.requireTrust(roleArn, 'states.amazonaws.com');
    const name = properties.StateMachineName ?? physicalName('stateMachine', resource);
    const arn = machines.arnOf(name);
    const at = now().getTime();
    const [destination] = properties.LoggingConfiguration?.Destinations ?? [];
    const logGroup = destination?.CloudWatchLogsLogGroup.LogGroupArn.split(':')[6];
    const revision = executions.revision(arn, { definition, roleArn }, at);
    machines.add({ arn, name, revision, createdAt: executions.createdAt(arn, at), logGroup });
    checks.push(() => {
      const missing = functionsOf(parsed).filter(
        (one) => !functions.byArn(one) && !functions.all.some((f) => f.name === one),
      );
      if (missing.length > 0) throw new Error(`${resource.path}: there is no function ${missing.join(', ')}.`);
    });
    return { ref: arn, attributes: { Arn: arn, Name: name, StateMachineRevisionId: revision.id } };
  };

  return {
    types: { 'AWS::StepFunctions::StateMachine': machine },
    start() {
      for (const check of checks) check();
      executor.start((arn) => machines.byArn(arn) !== undefined);
    },
    stop: () => executor.stop(),
  };
}
