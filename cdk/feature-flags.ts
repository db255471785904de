/**
 * Behaviour of the CDK that is chosen once, before anything is deployed: changed later, some of these would rename or
 * replace what exists. All have the value that the CDK recommends for new projects, except the one that says why not.
 */
export const FEATURE_FLAGS = {
  // The CDK recommends "weak". An output that a deployed stack still reads must not disappear, so references stay
  // exports, and the stacks that others build on keep theirs whether or not a stack reads them
  // (`stacks/permanent-exports.ts`).
  '@aws-cdk/core:defaultCrossStackReferences': 'strong',
  '@aws-cdk/core:stackRelativeExports': true,
  '@aws-cdk/core:includePrefixInUniqueNameGeneration': true,
  '@aws-cdk/core:target-partitions': ['aws'],
  '@aws-cdk/core:checkSecretUsage': true,
  '@aws-cdk/core:validateAgainstDefaultRules': true,
  '@aws-cdk/core:annotationsInValidationReport': true,
  '@aws-cdk/core:aspectStabilization': true,
  '@aws-cdk/core:aspectPrioritiesMutating': true,
  '@aws-cdk/core:validateSnapshotRemovalPolicy': true,
  '@aws-cdk/core:enableAdditionalMetadataCollection': false,
  '@aws-cdk/aws-iam:minimizePolicies': true,
  '@aws-cdk/aws-dynamodb:retainTableReplica': true,
  '@aws-cdk/aws-dynamodb:resourcePolicyPerReplica': true,
  '@aws-cdk/aws-s3:createDefaultLoggingPolicy': true,
  '@aws-cdk/aws-s3:publicAccessBlockedByDefault': true,
  '@aws-cdk/aws-events:eventsTargetQueueSameAccount': true,
  '@aws-cdk/aws-events:requireEventBusPolicySid': true,
  '@aws-cdk/aws-kms:reduceCrossAccountRegionPolicyScope': true,
  '@aws-cdk/aws-kms:aliasNameRef': true,
  '@aws-cdk/aws-lambda:recognizeVersionProps': true,
  '@aws-cdk/aws-lambda:recognizeLayerVersion': true,
  '@aws-cdk/aws-lambda:useCdkManagedLogGroup': true,
  '@aws-cdk/cognito:logUserPoolClientSecretValue': false,
} as const;
