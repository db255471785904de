/** What a handler costs that has nothing but the clients of DynamoDB and S3. */
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';

const dynamodb = new DynamoDBClient();
const s3 = new S3Client();

export const handler = async () => [
  await dynamodb.send(new GetItemCommand({ TableName: 'table', Key: { pk: { S: 'key' } } })),
  await s3.send(new GetObjectCommand({ Bucket: 'bucket', Key: 'key' })),
];
