/** Parameters that only the template of a local run has, and the variables of `npm start` that set them. */
const PARAMETERS = {
  /** Hosts and ports that webhooks may call although private. */
  WebhookPrivateTargets: 'WEBHOOK_PRIVATE_TARGETS',
  /** A file with a certificate authority that the sender of webhooks trusts besides the public ones. */
  WebhookExtraCaFile: 'WEBHOOK_EXTRA_CA_FILE',
  /** The folder of the bundles of all functions. Set by every run. */
  FunctionsFolder: undefined,
  /** `true` if operators get into the console with a code of an authenticator app only. Set by tests. */
  OperatorsNeedCode: undefined,
  /** The secret by which a proxy before the API proves itself, in a stage with a domain. Set by tests. */
  OriginSecret: undefined,
} as const;

export type LocalParameter = keyof typeof PARAMETERS;

/** Values by the names of their parameters; a parameter that is absent keeps its default. */
export type LocalParameters = { readonly [Name in LocalParameter]?: string };

/** The variables of `npm start` that set parameters. */
export const LOCAL_VARIABLES: readonly string[] = Object.values(PARAMETERS).filter(
  (variable) => variable !== undefined,
);

/** The parameters that an environment sets. */
export function parametersIn(environment: NodeJS.ProcessEnv): LocalParameters {
  const set = Object.entries(PARAMETERS).flatMap(([name, variable]) => {
    const value = variable && environment[variable];
    return value ? [[name, value]] : [];
  });
  return Object.fromEntries(set);
}
