/** The templates of a stage whose webhooks go out from fixed addresses. */
import { App } from 'aws-cdk-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { fiveServices } from '../../cdk/five-services.ts';
import { type StageStack, stageStacks } from '../../cdk/stage-stacks.ts';
import { stacksOf } from '../support/cloud/templates-only.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- properties of any resource type
type Properties = Record<string, any>;

interface Declared {
  readonly id: string;
  readonly Properties: Properties;
  readonly DeletionPolicy?: string;
}

let stacks: readonly StageStack[];
beforeAll(() => {
  stacks = stageStacks('prod', { fixedEgress: 'true' });
});

const all = (type: string, of: readonly StageStack[] = stacks): Declared[] =>
  of.flatMap(({ template }) =>
    Object.entries(template.Resources)
      .filter(([, one]) => one.Type === type)
      .map(([id, one]) => ({ id, ...(one as Omit<Declared, 'id'>) })),
  );
const handlerOf = ({ Properties: { Description } }: Declared) => String(Description).split('.')[0] ?? '';
const placed = () => all('AWS::Lambda::Function').filter(({ Properties: { VpcConfig } }) => VpcConfig !== undefined);

describe('a stage with fixed addresses', () => {
  it('sends webhooks from them, and nothing else', () => {
    expect(placed().map(handlerOf).toSorted()).toEqual([
      'webhooks/configuration-tests/test-configuration',
      'webhooks/deliveries/deliver-run',
      'webhooks/deliveries/deliver-run',
    ]);
  });

  it('keeps the addresses when its stack is deleted, and prints them', () => {
    const addresses = all('AWS::EC2::EIP');
    expect(addresses.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual([
      'RetainExceptOnCreate',
      'RetainExceptOnCreate',
    ]);
    const used = all('AWS::EC2::NatGateway').map(({ Properties: { AllocationId } }) => AllocationId['Fn::GetAtt'][0]);
    expect(new Set(used)).toEqual(new Set(addresses.map(({ id }) => id)));
    const outputs = stacks.flatMap(({ template }) => Object.entries((template as Properties)['Outputs'] ?? {}));
    const [, output] = outputs.find(([name]) => name.includes('EgressAddresses')) ?? [];
    expect(output).toMatchObject({ Value: { 'Fn::Join': [',', addresses.map(({ id }) => ({ Ref: id }))] } });
  });

  it('places them where every route to the outside is such a gateway', () => {
    const outside = all('AWS::EC2::Route').filter(({ Properties: { NatGatewayId } }) => NatGatewayId !== undefined);
    const tables = new Set(outside.map(({ Properties: { RouteTableId } }) => RouteTableId.Ref));
    const subnets = all('AWS::EC2::SubnetRouteTableAssociation').filter(({ Properties: { RouteTableId } }) =>
      tables.has(RouteTableId.Ref),
    );
    const withGateway = new Set(subnets.map(({ Properties: { SubnetId } }) => SubnetId.Ref));
    expect(withGateway.size).toBe(2);
    for (const { Properties: properties } of placed()) {
      const own = properties['VpcConfig'].SubnetIds.map(({ Ref }: { Ref: string }) => Ref);
      expect(new Set(own)).toEqual(withGateway);
    }
    expect(all('AWS::EC2::SecurityGroupIngress')).toEqual([]);
  });

  it('lets Lambda make network interfaces, and not the code that calls endpoints', () => {
    const statements = all('AWS::IAM::Policy').flatMap(
      ({ Properties: { PolicyDocument } }) => PolicyDocument.Statement,
    );
    const of = (effect: string): Properties[] =>
      statements.filter(
        ({ Action, Effect }) => Effect === effect && JSON.stringify(Action).includes('NetworkInterface'),
      );
    expect(of('Allow')).toHaveLength(3);
    const denied = of('Deny').map(({ Condition }) => Condition.ArnEquals['lambda:SourceFunctionArn']['Fn::GetAtt'][0]);
    expect(new Set(denied)).toEqual(new Set(placed().map(({ id }) => id)));
  });

  it('is no stage without the setting, nor on a laptop', () => {
    expect(all('AWS::EC2::VPC', stacksOf('prod'))).toEqual([]);
    const local = new App({ context: { stage: 'dev', local: true, fixedEgress: 'true' } });
    expect(() => fiveServices(local)).toThrow('fixedEgress is for deployments');
    const unclear = new App({ context: { stage: 'dev', fixedEgress: 'yes' } });
    expect(() => fiveServices(unclear)).toThrow('fixedEgress must be true or false');
  });
});
