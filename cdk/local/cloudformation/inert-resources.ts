/** Resources that matter to the operators of a deployment and do nothing on a laptop. */
import { physicalName } from '../assembly/physical-names.ts';
import type { CloudContext } from '../cloud-context.ts';
import type { DeclaredResource, Provisioned, ResourceFamily } from './resource-family.ts';

/** Type, then the service and resource part of its ARN. */
const INERT: Readonly<Record<string, (name: string) => { service: string; resource: string }>> = {
  // Mails when a month gets dear, and a laptop costs nothing.
  'AWS::Budgets::Budget': (name) => ({ service: 'budgets', resource: `budget/${name}` }),
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
    return { ref: name, attributes: { Arn: arn } };
  };
  return { types: Object.fromEntries(Object.keys(INERT).map((type) => [type, inert])) };
}
