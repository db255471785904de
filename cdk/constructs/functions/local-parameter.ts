import { CfnParameter, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { LocalParameter } from '../../local-parameters.ts';
import { isLocal } from '../../settings.ts';

/**
 * A value that a local run may replace when it starts: there it is a parameter of the stack with this default, so that
 * one assembly serves every run. A deployed stage has the value itself and no such parameter.
 */
export function localParameter(scope: Construct, name: LocalParameter, value: string): string {
  if (!isLocal(scope)) return value;
  const stack = Stack.of(scope);
  const parameter = stack.node.tryFindChild(name) ?? new CfnParameter(stack, name, { default: value });
  return (parameter as CfnParameter).valueAsString;
}
