/** npm run soak: uses all services at once for a while, with failures of every kind, and compares what is left. */
import { runCommandLine } from '#shared/command/command';
import { wrongCall } from '#shared/command/command-line';
import { awsFailuresIn } from '../../cdk/local/aws-failures/aws-failures.ts';
import { soak } from './soak.ts';

const LINE = {
  script: 'soak',
  about: `Uses all services at once on a local cloud, with kills, throttles and conflicts. Then nothing must be lost or doubled,
memory must be flat, and no alarm may sound.`,
  options: {
    minutes: { value: 'N', about: 'how long the services are used (default 30)' },
    seed: { value: 'N', about: 'chooses what fails (default: a random one, which is printed)' },
    like: {
      value: 'LIST',
      about: 'failures of AWS, as LOCAL_AWS_LIKE takes them (default conflicts,throttles,gsi-lag)',
    },
  },
  example: '--minutes 5',
} as const;

await runCommandLine(LINE, async ({ values: { minutes = '30', seed, like } }) => {
  const chosen = seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(seed);
  if (!(Number(minutes) > 0)) throw wrongCall(`--minutes is a number above 0, not ${minutes}.`);
  if (!Number.isSafeInteger(chosen)) throw wrongCall(`--seed is an integer, not ${seed}.`);
  console.log(`seed ${chosen}`);
  const { faults, alarms, counts } = await soak({
    minutes: Number(minutes),
    seed: chosen,
    ...(like !== undefined && { like: [...awsFailuresIn({ LOCAL_AWS_LIKE: like })] }),
    say: console.log,
  });
  console.log(JSON.stringify(counts, undefined, 2));
  for (const fault of [...faults, ...alarms.map((alarm) => `It still sounds: ${alarm}`)]) console.error(fault);
  console.log(`${faults.length} faults, ${alarms.length} alarms`);
  return faults.length + alarms.length === 0 ? 0 : 1;
});
