/** Resources that matter to the operators of a deployment and do nothing on a laptop. */
import { physicalName } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import type { DeclaredResource, Provisioned, ResourceFamily } from './resource-family.ts';

/** Type, then the service and resource part of its ARN. */
const INERT: Readonly<Record<string, (name: string) => { service: string; resource: string }>> = {
  // Alarms publish here on AWS; locally a change of their state is reported on the terminal instead.
  'AWS::SNS::Topic': (name) => ({ service: 'sns', resource: name }),
  'AWS::SNS::TopicPolicy': (name) => ({ service: 'sns', resource: name }),
  'AWS::SNS::Subscription': (name) => ({ service: 'sns', resource: name }),
  // Empties a bucket when its stack is destroyed. The end of a local run destroys no stack.
  'Custom::S3AutoDeleteObjects': (name) => ({ service: 's3', resource: name }),
};

export function inertResources({ region, accountId }: CloudContext): ResourceFamily {
  const arnOf = (resource: DeclaredResource, name: string) => {
    const part = INERT[resource.type]?.(name);
    return `arn:aws:${part?.service}:${region}:${accountId}:${part?.resource}`;
  };
  const inert = (resource: DeclaredResource): Provisioned => {
    const name = physicalName('other', resource);
    const arn = arnOf(resource, name);
    // A topic's Ref is its ARN.
    const ref = resource.type === 'AWS::SNS::Topic' ? arn : name;
    return { ref, attributes: { Arn: arn, TopicArn: arn, TopicName: name } };
  };
  return { types: Object.fromEntries(Object.keys(INERT).map((type) => [type, inert])) };
}
