import {
  CognitoIdentityProviderClient,
  paginateListUsers,
  type UserType,
} from '@aws-sdk/client-cognito-identity-provider';
import type { Deployment } from '#shared/command/deployment.cloudformation';
import type { OtherLine } from '#shared/export/export-domain.s3';
import type { ExportSubject } from '#shared/export/export-items';

/** The people of a tenant, without their credentials. The pool cannot search by tenant, so it reads all people. */
export async function* peopleOf(
  deployment: Deployment,
  { tenant, customer }: ExportSubject,
): AsyncGenerator<OtherLine> {
  if (customer !== undefined) return;
  const client = new CognitoIdentityProviderClient({ ...deployment.client });
  const UserPoolId = deployment.output('ManagersPool');
  for await (const { Users: users = [] } of paginateListUsers({ client }, { UserPoolId })) {
    for (const user of users) {
      const line = personIn(user);
      if (line.attributes['custom:tenant'] === tenant) yield { file: 'people', line };
    }
  }
}

const personIn = ({ Username: name, Attributes: attributes = [], Enabled: enabled, UserCreateDate: at }: UserType) => ({
  name,
  enabled,
  createdAt: at?.toISOString(),
  attributes: Object.fromEntries(attributes.map(({ Name = '', Value }) => [Name, Value])),
});
