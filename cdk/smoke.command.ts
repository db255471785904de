/** npm run smoke: asks every interface of a running stage for what it answers to anybody. It changes nothing. */
import { runCommandLine } from '#shared/command/command';
import { STAGE_OPTION } from '#shared/command/command-line';
import { findDeployment } from '#shared/command/deployment.cloudformation';

/** Paths with the statuses that prove that route, function and table work: credentials are looked up, and missed. */
const EXPECTED: Readonly<Record<string, number>> = {
  '/v1/openapi.json': 200,
  '/v3/openapi.json': 200,
  '/loyalty/openapi.json': 200,
  '/manage/v1/openapi.json': 200,
  '/manage/v1/rules': 401,
  '/nowhere': 404,
};
/** A data token that no stage has. The table is asked for it. */
const NO_TOKEN = `Basic ${Buffer.from('smoke-test:').toString('base64')}`;
const LOOKED_UP: Readonly<Record<string, number>> = { '/v3/data/businesses?q=a': 401 };
const TIMEOUT_MILLIS = 30_000;

const LINE = {
  script: 'smoke',
  about:
    'Asks every interface of a running stage for what it answers to anybody. Exits with 1 if one answers otherwise.',
  options: { stage: STAGE_OPTION },
  example: '--stage prod',
} as const;

await runCommandLine(LINE, async ({ values: { stage } }) => {
  const url = (await findDeployment(stage)).output('ApiUrl').replace(/\/+$/, '');
  const answers = await Promise.all([
    ...Object.entries(EXPECTED).map(([path, status]) => answer(url, path, status)),
    ...Object.entries(LOOKED_UP).map(([path, status]) => answer(url, path, status, { authorization: NO_TOKEN })),
  ]);
  for (const { line } of answers) console.log(line);
  return answers.every(({ isRight }) => isRight) ? 0 : 1;
});

async function answer(url: string, path: string, expected: number, headers: Record<string, string> = {}) {
  const status = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(TIMEOUT_MILLIS) }).then(
    (response) => String(response.status),
    (error: unknown) => (error instanceof Error ? error.message : 'no answer'),
  );
  const isRight = status === String(expected);
  return { isRight, line: `${isRight ? 'ok' : `expected ${expected}`}  ${status}  ${path}` };
}
