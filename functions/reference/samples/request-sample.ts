import { curlSample, type SampleRequest } from '#shared/client/curl-sample';

/** The languages of samples, in the order in which pages show them. */
export const LANGUAGES = ['curl', 'Python', 'TypeScript', 'Go'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The text of a program that sends the request to the API at the variable API_URL, and prints status and body. */
export const sampleIn = (language: Language, request: SampleRequest): string => WRITERS[language](request);

const WRITERS: Readonly<Record<Language, (request: SampleRequest) => string>> = {
  curl: curlSample,
  Python: pythonSample,
  TypeScript: typescriptSample,
  Go: goSample,
};

const json = (body: unknown) => JSON.stringify(body, undefined, 2);

function pythonSample({ method, path, credential, body }: SampleRequest): string {
  return [
    ...(credential === 'basic' ? ['import base64'] : []),
    'import json',
    'import os',
    'import urllib.request',
    '',
    ...(credential === 'basic'
      ? [
          'user = os.environ["USER"] + ":" + os.environ["PASSWORD"]',
          'authorization = "Basic " + base64.b64encode(user.encode()).decode()',
        ]
      : []),
    ...(credential === 'bearer' ? ['authorization = "Bearer " + os.environ["TOKEN"]'] : []),
    'request = urllib.request.Request(',
    `    os.environ["API_URL"] + ${JSON.stringify(path)},`,
    `    method=${JSON.stringify(method)},`,
    '    headers={',
    ...(credential === 'none' ? [] : ['        "Authorization": authorization,']),
    ...(body === undefined ? [] : ['        "Content-Type": "application/json",']),
    '    },',
    ...(body === undefined ? [] : [`    data=json.dumps(${pythonLiteral(body)}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as answer:',
    '    print(answer.status, answer.read().decode())',
  ].join('\n');
}

function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${pythonLiteral(member)}`);
    return `{${members.join(', ')}}`;
  }
  return JSON.stringify(value);
}

function typescriptSample({ method, path, credential, body }: SampleRequest): string {
  const authorization = {
    bearer: ['    authorization: `Bearer ${env.TOKEN}`,'],
    basic: ['    authorization: `Basic ${Buffer.from(`${env.USER}:${env.PASSWORD}`).toString("base64")}`,'],
    none: [],
  }[credential];
  return [
    'import { env } from "node:process";',
    '',
    `const answer = await fetch(\`\${env.API_URL}${path}\`, {`,
    `  method: ${JSON.stringify(method)},`,
    '  headers: {',
    ...authorization,
    ...(body === undefined ? [] : ['    "content-type": "application/json",']),
    '  },',
    ...(body === undefined ? [] : [`  body: JSON.stringify(${json(body).replaceAll('\n', '\n  ')}),`]),
    '});',
    'console.log(answer.status, await answer.text());',
  ].join('\n');
}

function goSample({ method, path, credential, body }: SampleRequest): string {
  const hasBody = body !== undefined;
  return [
    'package main',
    '',
    'import (',
    '\t"fmt"',
    '\t"io"',
    '\t"net/http"',
    '\t"os"',
    ...(hasBody ? ['\t"strings"'] : []),
    ')',
    '',
    'func main() {',
    ...(hasBody ? [`\tbody := strings.NewReader(\`${JSON.stringify(body)}\`)`] : []),
    `\trequest, err := http.NewRequest(${JSON.stringify(method)}, os.Getenv("API_URL")+${JSON.stringify(path)}, ${hasBody ? 'body' : 'nil'})`,
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    ...(credential === 'bearer' ? ['\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))'] : []),
    ...(credential === 'basic' ? ['\trequest.SetBasicAuth(os.Getenv("USER"), os.Getenv("PASSWORD"))'] : []),
    ...(hasBody ? ['\trequest.Header.Set("Content-Type", "application/json")'] : []),
    '\tanswer, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer answer.Body.Close()',
    '\ttext, _ := io.ReadAll(answer.Body)',
    '\tfmt.Println(answer.StatusCode, string(text))',
    '}',
  ].join('\n');
}
