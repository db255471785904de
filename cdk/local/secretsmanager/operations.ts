/** The operations of Secrets Manager. Each names the permission that it needs, and answers once it is given. */
import type { z } from 'zod';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { type Operation, type Operations, operationsOf } from '../endpoint/json-service.ts';
import { type GetSecretValueRequest, type PutSecretValueRequest, REQUESTS } from './request.ts';
import { CURRENT, type Secret, type Version } from './secret.ts';
import type { Secrets } from './secrets.ts';

export interface Store {
  readonly secrets: Secrets;
  readonly now: () => Date;
}

export const OPERATIONS: Operations<Store> = {
  GetSecretValue: operation('GetSecretValue', REQUESTS.GetSecretValue, {
    conditions: ({ VersionId, VersionStage }) => ({
      ...(VersionId !== undefined && { 'secretsmanager:VersionId': VersionId }),
      ...(VersionStage !== undefined && { 'secretsmanager:VersionStage': VersionStage }),
    }),
    answer: (secret, request) => {
      const version = versionOf(secret, request);
      return {
        ...named(secret),
        VersionId: version.id,
        ...(version.text !== undefined && { SecretString: version.text }),
        ...(version.binary !== undefined && { SecretBinary: version.binary }),
        ...(version.stages.length > 0 && { VersionStages: version.stages }),
        CreatedDate: version.createdAt / 1000,
      };
    },
  }),

  PutSecretValue: operation('PutSecretValue', REQUESTS.PutSecretValue, {
    conditions: ({ VersionStages }) => ({ ...(VersionStages && { 'secretsmanager:VersionStage': VersionStages }) }),
    answer: (secret, request, now) => {
      const { id, value } = newVersion(request);
      const version = secret.put(id, value, request.VersionStages ?? [CURRENT], now);
      return { ...named(secret), VersionId: version.id, VersionStages: version.stages };
    },
  }),

  DescribeSecret: operation('DescribeSecret', REQUESTS.DescribeSecret, {
    answer: (secret) => {
      const staged = secret.versions.filter(({ stages }) => stages.length > 0);
      return {
        ...named(secret),
        Description: secret.settings.description,
        CreatedDate: secret.createdAt.getTime() / 1000,
        LastChangedDate: secret.changedAt.getTime() / 1000,
        VersionIdsToStages: Object.fromEntries(staged.map(({ id, stages }) => [id, stages])),
      };
    },
  }),
};

interface Behaviour<Request> {
  /** Values of the condition keys that the request sets besides the secret. */
  readonly conditions?: (request: Request) => Record<string, string | readonly string[]>;
  readonly answer: (secret: Secret, request: Request, now: Date) => object;
}

/** A caller without the permission must not learn whether the secret exists, so existence is checked in the answer. */
function operation<Schema extends z.ZodType<{ SecretId: string }>>(
  name: string,
  schema: Schema,
  { conditions, answer }: Behaviour<z.output<Schema>>,
): Operation<Store> {
  return operationsOf<Store>('ValidationException')(schema, ({ secrets, now }, request) => {
    const secret = secrets.named(request.SecretId);
    const resource = secret?.settings.arn ?? request.SecretId;
    const context = { 'secretsmanager:SecretId': resource, ...conditions?.(request) };
    return {
      permissions: [{ action: `secretsmanager:${name}`, resource, context }],
      answer: () => {
        if (!secret) throw missing("Secrets Manager can't find the specified secret.");
        return answer(secret, request, now());
      },
    };
  });
}

function versionOf(secret: Secret, { VersionId, VersionStage }: GetSecretValueRequest): Version {
  if (VersionId === undefined) {
    const stage = VersionStage ?? CURRENT;
    const version = secret.withStage(stage);
    if (!version) throw missing(`Secrets Manager can't find the specified secret value for staging label: ${stage}`);
    return version;
  }
  const version = secret.withId(VersionId);
  if (!version) throw missing(`Secrets Manager can't find the specified secret value for VersionId: ${VersionId}`);
  if (VersionStage !== undefined && !version.stages.includes(VersionStage)) {
    throw invalid('You provided a VersionStage that is not associated to the provided VersionId.');
  }
  return version;
}

function newVersion({ ClientRequestToken: id, SecretString: text, SecretBinary: binary }: PutSecretValueRequest) {
  if (id === undefined) {
    throw invalid('You must provide a ClientRequestToken value. We recommend a UUID-type value.');
  }
  if (text === undefined && binary === undefined) {
    throw invalid('You must provide either SecretString or SecretBinary.');
  }
  if (text !== undefined && binary !== undefined) {
    throw new CallRefusal(
      400,
      'InvalidParameterException',
      "You can't specify both a binary secret value and a string secret value in the same secret.",
    );
  }
  return { id, value: { ...(text !== undefined && { text }), ...(binary !== undefined && { binary }) } };
}

const named = ({ settings: { arn, name } }: Secret) => ({ ARN: arn, Name: name });

const missing = (message: string) => new CallRefusal(400, 'ResourceNotFoundException', message);
const invalid = (message: string) => new CallRefusal(400, 'InvalidRequestException', message);
