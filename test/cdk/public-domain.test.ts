/** The templates of a stage with a domain of its own. */
import { beforeAll, describe, expect, it } from 'vitest';
import { routeKeysIn } from '../../cdk/constructs/functions/handler-routes.ts';
import { type StageStack, stageStacks } from '../../cdk/stage-stacks.ts';
import { stacksOf } from '../support/cloud/templates-only.ts';

const ACCOUNT = '111122223333';
const DOMAIN = {
  domainName: 'api.example.com',
  certificate: `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/1234abcd-12ab-34cd-56ef-1234567890ab`,
  webAcl: `arn:aws:wafv2:us-east-1:${ACCOUNT}:global/webacl/edge/1234abcd-12ab-34cd-56ef-1234567890ab`,
};
const SECRET = '{{resolve:secretsmanager:five-services-prod-origin:SecretString}}';

let stacks: readonly StageStack[];
beforeAll(() => {
  stacks = stageStacks('prod', DOMAIN);
}, 300_000);

// oxlint-disable-next-line typescript/no-explicit-any -- properties of any resource type
type Properties = Record<string, any>;

const resources = (of: readonly StageStack[], type: string): Properties[] =>
  of.flatMap(({ template }) =>
    Object.values(template.Resources)
      .filter((one) => one.Type === type)
      .map((one): Properties => one.Properties ?? {}),
  );

const outputs = (of: readonly StageStack[]): Properties =>
  Object.assign({}, ...of.map(({ template }) => (template as Properties)['Outputs']));

describe('a stage with a domain', () => {
  it('has one distribution before the API, which passes everything on and keeps nothing', () => {
    const [distribution, ...others] = resources(stacks, 'AWS::CloudFront::Distribution');
    expect(others).toEqual([]);
    expect(distribution?.['DistributionConfig']).toMatchObject({
      Aliases: [DOMAIN.domainName],
      HttpVersion: 'http2and3',
      WebACLId: DOMAIN.webAcl,
      ViewerCertificate: { AcmCertificateArn: DOMAIN.certificate, MinimumProtocolVersion: 'TLSv1.2_2021' },
      DefaultCacheBehavior: {
        AllowedMethods: expect.arrayContaining(['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE']),
        // As AWS lists them: CachingDisabled and AllViewerExceptHostHeader.
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
        Compress: false,
        ViewerProtocolPolicy: 'redirect-to-https',
      },
      Origins: [
        {
          CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
          OriginCustomHeaders: [{ HeaderName: 'x-origin-secret', HeaderValue: SECRET }],
        },
      ],
    });
    const errorResponses = distribution?.['DistributionConfig'].CustomErrorResponses;
    expect(errorResponses.map((one: Properties) => one['ErrorCode'])).toEqual(
      expect.arrayContaining([404, 405, 414, 500, 501, 502, 503, 504]),
    );
    for (const one of errorResponses) expect(one['ErrorCachingMinTTL']).toBe(0);
  });

  it('lets every function with routes, and no other, check that requests came through it', () => {
    const functions = resources(stacks, 'AWS::Lambda::Function').map(({ Description, Environment }) => ({
      handler: String(Description).split('.')[0] ?? '',
      variables: Environment?.Variables ?? {},
    }));
    const checking = functions.filter(({ variables }) => variables.ORIGIN_SECRET !== undefined);
    expect(checking.map(({ handler }) => handler).toSorted()).toEqual(
      functions
        .map(({ handler }) => handler)
        .filter((name) => name.includes('/') && routeKeysIn(`functions/${name}.handler.ts`).length > 0)
        .toSorted(),
    );
    expect(checking.length).toBeGreaterThan(40);
    for (const { variables } of checking) {
      expect(variables).toMatchObject({ ORIGIN_SECRET: SECRET, PUBLIC_DOMAIN: DOMAIN.domainName });
      // Lambda takes 4 KB of variables. Names of resources are longer than their references here only by little.
      expect(JSON.stringify(variables).length).toBeLessThan(3_800);
    }
  });

  it('names the domain in its outputs, and takes uploads from the console there', () => {
    expect(outputs(stacks)).toMatchObject({
      ApiUrl: { Value: 'https://api.example.com' },
      ConsoleUrl: { Value: 'https://api.example.com/console' },
      DomainTarget: { Value: { 'Fn::GetAtt': [expect.any(String), 'DomainName'] } },
    });
    const rules = resources(stacks, 'AWS::S3::Bucket').flatMap((one) => one['CorsConfiguration']?.CorsRules ?? []);
    expect(rules.map((one: Properties) => one['AllowedOrigins'])).toEqual(rules.map(() => ['https://api.example.com']));
    expect(rules.length).toBeGreaterThan(0);
  });

  it('calls the management API from the console at the gateway itself, where no firewall counts its addresses', () => {
    const [url] = resources(stacks, 'AWS::Lambda::Function').flatMap(
      ({ Environment }) => Environment?.Variables.API_URL ?? [],
    );
    expect(JSON.stringify(url)).toContain('execute-api');
  });

  it('exports nothing more than one without, so that the setting can be taken back', () => {
    const exported = (of: readonly StageStack[]) =>
      Object.values(outputs(of)).flatMap((one: Properties): string[] => one['Export']?.Name ?? []);
    expect(exported(stacks).toSorted()).toEqual(exported(stacksOf('prod')).toSorted());
  });
});

it.each([
  [{ domainName: 'https://api.example.com' }, 'domainName must be a host name in lower case'],
  [{ domainName: 'API.example.com' }, 'domainName must be a host name in lower case'],
  [{ domainName: 'localhost' }, 'domainName must be a host name in lower case'],
  [{ certificate: DOMAIN.certificate }, 'set domainName as well'],
  [{ webAcl: DOMAIN.webAcl }, 'set domainName as well'],
  [{ domainName: DOMAIN.domainName }, 'certificate must be the ARN'],
  [{ ...DOMAIN, certificate: DOMAIN.certificate.replace('us-east-1', 'eu-west-1') }, 'issued by ACM in us-east-1'],
  [{ ...DOMAIN, webAcl: DOMAIN.webAcl.replace('global', 'regional') }, 'with the scope CLOUDFRONT'],
])('a domain that could not be is refused: %o', (context, sentence) => {
  expect(() => stageStacks('prod', { domains: 'accounts', ...context })).toThrow(sentence);
});
