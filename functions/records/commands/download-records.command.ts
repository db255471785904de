/**
 * npm run download: downloads records through the public interface. A customer
 * can copy it together with the files that it imports: none of them reaches a table, a queue or a handler.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { runCommandLine } from '#shared/command/command';
import { STAGE_OPTION } from '#shared/command/command-line';
import { findDeployment } from '#shared/command/deployment.cloudformation';
import { variable } from '#shared/env';
import { DownloadFolder } from './download-folder.ts';
import { baseUrl, callIn, tokenFor } from './download-options.ts';
import { downloadRecords } from './download-records.ts';
import { publicApi } from './public-api.ts';

const LINE = {
  script: 'download',
  about: `Downloads the records of a query through the public interface, and counts what came. Run it again and it resumes;
each record is charged once. Exits with 2 if the service could not deliver all.`,
  options: {
    type: { value: 'TYPE', about: 'businesses, products or properties', required: true },
    q: { value: 'QUERY', about: 'which records, as in a search', required: true },
    out: { value: 'DIR', about: 'the folder for the files', required: true },
    format: { value: 'json|csv', about: 'of the files', default: 'json' },
    'csv-formulas': { value: 'guarded|raw', about: 'raw: cells of CSV as they are, for a program that reads them' },
    view: { value: 'VIEW', about: 'which fields; otherwise all' },
    records: { value: 'N', about: 'how many records; otherwise all that match' },
    token: { value: 'TOKEN', about: 'the data token; better given by the environment variable DATA_TOKEN' },
    url: { value: 'BASE_URL', about: 'where the service is, such as https://api.example.com' },
    stage: STAGE_OPTION,
  },
  example: "--type products --q 'brand:northwind' --format csv --view products_basicFields --out northwind",
} as const;

await runCommandLine(LINE, async ({ values }) => {
  const url = baseUrl(values.url ?? (await addressOf(values.stage)));
  const call = callIn(values, url);
  const api = publicApi(url, tokenFor(url, values.token ?? variable('DATA_TOKEN')));
  const folder = new DownloadFolder(values.out);
  const { request, records, files } = await downloadRecords({ api, call, folder, pause });
  const outcome = `${records} records in ${files === 1 ? '1 file' : `${files} files`} in ${folder.path}.`;
  if (request.error === '') {
    console.log(outcome);
    return 0;
  }
  console.error(`${request.error}\n${outcome} ${request.numRequested} were requested.`);
  return 2;
});

async function addressOf(stage: string | undefined): Promise<string> {
  if (stage !== undefined) return (await findDeployment(stage)).output('ApiUrl');
  const local = await findDeployment(undefined).catch(() => undefined);
  return local?.output('ApiUrl') ?? `http://localhost:${variable('PORT') ?? '3000'}`;
}
