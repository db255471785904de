import { CfnOutput, Fn, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { CfnEIP, GatewayVpcEndpointAwsService, NatProvider, SecurityGroup, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Effect, Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { FunctionProps, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { settingsOf } from '../settings.ts';

/** Lambda calls these in the name of a function to place it in a network. */
const INTERFACE_ACTIONS = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
];

/**
 * Two addresses from which functions call the outside, in a stage with fixed ones: a network with a NAT gateway in each of
 * two zones. The addresses outlive the stack, because others have them in their firewalls.
 */
export class FixedEgress extends Construct {
  private readonly vpc: Vpc;
  private readonly group: SecurityGroup;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const addresses = ['First', 'Second'].map((name) => new CfnEIP(this, name, { domain: 'vpc' }));
    const { retainData } = settingsOf(this);
    for (const address of addresses) {
      address.applyRemovalPolicy(retainData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY);
    }
    this.vpc = new Vpc(this, 'Network', {
      maxAzs: addresses.length,
      natGateways: addresses.length,
      natGatewayProvider: NatProvider.gateway({ eipAllocationIds: addresses.map((one) => one.attrAllocationId) }),
      subnetConfiguration: [
        { name: 'Public', subnetType: SubnetType.PUBLIC, mapPublicIpOnLaunch: false, cidrMask: 28 },
        { name: 'Functions', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 20 },
      ],
      // It costs nothing, and most calls of these functions go there.
      gatewayEndpoints: { DynamoDB: { service: GatewayVpcEndpointAwsService.DYNAMODB } },
      // Nothing uses the default group; to empty it would take a function of its own.
      restrictDefaultSecurityGroup: false,
    });
    Validations.of(this.vpc).acknowledge({
      id: 'AwsSolutions::AwsSolutions-VPC7',
      reason: 'The delivery log has every call of an endpoint, with its address and outcome.',
    });
    this.group = new SecurityGroup(this, 'Group', {
      vpc: this.vpc,
      description: 'Calls of endpoints go out to any port; nothing comes in.',
    });
    new CfnOutput(this, 'Addresses', {
      value: Fn.join(
        ',',
        addresses.map(({ ref }) => ref),
      ),
    });
  }

  /** The properties of a function that leaves by these addresses. */
  get placement(): Pick<FunctionProps, 'vpc' | 'vpcSubnets' | 'securityGroups'> {
    return {
      vpc: this.vpc,
      vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      securityGroups: [this.group],
    };
  }

  /** Lets Lambda make the function's network interfaces, which its role must allow, but not the code of the function. */
  admits(placed: LambdaFunction): void {
    placed.addToRolePolicy(new PolicyStatement({ actions: INTERFACE_ACTIONS, resources: ['*'] }));
    const policy = new Policy(placed, 'NoInterfaces', {
      statements: [
        new PolicyStatement({
          effect: Effect.DENY,
          actions: INTERFACE_ACTIONS,
          resources: ['*'],
          conditions: { ArnEquals: { 'lambda:SourceFunctionArn': placed.functionArn } },
        }),
      ],
    });
    placed.role?.attachInlinePolicy(policy);
  }
}
