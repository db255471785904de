/** A minimal handler: it has only the clients of DynamoDB and S3, and reads one thing with each. */
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';

const dynamodb = new DynamoDBClient();
const s3 = new S3Client();

export interface TwoReads {
  readonly table: string;
  readonly pk: string;
  readonly sk: string;
  readonly bucket: string;
  readonly object: string;
}

export const handler = async ({ table, pk, sk, bucket, object }: TwoReads) => {
  const { Item: item } = await dynamodb.send(
    new GetItemCommand({ TableName: table, Key: { pk: { S: pk }, sk: { S: sk } }, ConsistentRead: true }),
  );
  const { Body: body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: object }));
  const bytes = await body?.transformToByteArray();
  return { statusCode: item && bytes ? 200 : 404 };
};
