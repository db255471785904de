import type { Stack } from 'aws-cdk-lib';

/**
 * Exports these values for good. An export that the CDK makes by itself disappears with its last reader: the producing
 * stack is deployed first, and CloudFormation refuses to drop an export that the deployed consumer still reads.
 */
export function keepExported(stack: Stack, values: readonly (string | undefined)[]): void {
  for (const value of values) if (value !== undefined) stack.exportValue(value);
}
