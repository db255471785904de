import { eventually } from '../cloud/local-cloud.ts';
import type { RunningService } from '../cloud/running-service.ts';

interface Request {
  readonly id: number;
  readonly status: string;
  readonly error: string;
  readonly numDownloaded: number;
}

/** A customer of a running service who downloads over HTTP. */
export function downloader(service: RunningService, token: string) {
  const get = service.as(token);
  return {
    get,

    /** Starts a download; `query` is the query string of the call without `download`. */
    async start(type: string, query: string) {
      const answer = await get(`/v3/data/${type}?download=true&${query}`);
      if (answer.status !== 303) throw new Error(answer.text);
      return answer.json as Request;
    },

    async ended(id: number): Promise<Request> {
      const look = async () => (await get(`/v3/requests/${id}`)).json[0] as Request;
      return eventually(service.cloud, look, ({ status }) => status === 'COMPLETED');
    },

    /** The files of a download that has ended, in order. */
    async files(id: number): Promise<string[]> {
      const results = (await get(`/v3/results/${id}`)).json as { url: string }[];
      return Promise.all(results.map(async ({ url }) => (await fetch(url)).text()));
    },

    async credits(): Promise<number> {
      return (await get('/v3/users')).json[0].available_downloads;
    },
  };
}
