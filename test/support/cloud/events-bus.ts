import type { AwsRequest, AwsResponse, AwsService } from '../../../cdk/local/endpoint/aws-service.ts';
import type { WebhookTrigger } from '../../../shared/events/webhook-trigger.ts';

interface Entry {
  readonly Source: string;
  readonly DetailType: string;
  readonly EventBusName: string;
  readonly Time: number;
  readonly detail: WebhookTrigger;
}

/** EventBridge, as far as one call: it can be told to refuse an entry in an answer that is otherwise fine. */
export class EventsBus implements AwsService {
  readonly signingName = 'events';
  refuses = new Set<string>();
  taken: Entry[] = [];
  sizes: number[] = [];

  reset(): void {
    this.refuses = new Set();
    this.taken = [];
    this.sizes = [];
  }
  permissionsOf() {
    return [];
  }
  async handle({ body }: AwsRequest): Promise<AwsResponse> {
    const entries: (Omit<Entry, 'detail'> & { Detail: string })[] = JSON.parse(body.toString()).Entries;
    this.sizes.push(entries.length);
    const Entries = entries.map(({ Detail, ...rest }) => {
      const detail = JSON.parse(Detail);
      if (this.refuses.has(detail.recordId)) return { ErrorCode: 'InternalFailure', ErrorMessage: 'Try again.' };
      this.taken.push({ ...rest, detail });
      return { EventId: String(this.taken.length) };
    });
    const FailedEntryCount = Entries.filter((entry) => 'ErrorCode' in entry).length;
    return { status: 200, headers: {}, body: JSON.stringify({ FailedEntryCount, Entries }) };
  }
  error(status: number, code: string, message: string): AwsResponse {
    return { status, headers: {}, body: JSON.stringify({ __type: code, message }) };
  }
}
