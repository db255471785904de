/** AWS STS, as far as tools ask for their identity: `aws sts get-caller-identity`. */
import { QueryService } from '../endpoint/query-service.ts';

export class SecurityTokenService extends QueryService {
  constructor(accountId: string) {
    super({
      signingName: 'sts',
      product: 'STS',
      namespace: 'https://sts.amazonaws.com/doc/2011-06-15/',
      operations: {
        GetCallerIdentity: (_parameters, { kind, arn }) => ({
          // AWS needs no permission for this.
          permissions: [],
          answer: () => ({
            Arn: arn,
            UserId: kind === 'root' ? accountId : `AROA:${arn.split('/').at(-1)}`,
            Account: accountId,
          }),
        }),
      },
    });
  }
}
