import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { importsPackages } from '../../../../cdk/local/lambda/imports.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'imports-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function importsOf(files: Readonly<Record<string, string>>): boolean {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return importsPackages(pathToFileURL(join(folder, 'index.mjs')).href);
}

it.each([
  [{ 'index.mjs': 'import{a as b}from"sharp";b()' }],
  [{ 'index.mjs': "import sharp, { type } from '@scope/native/part.js';" }],
  [{ 'index.mjs': 'let a=1;import"native";' }],
  [{ 'index.mjs': 'export{handler}from"native";' }],
  [{ 'index.mjs': 'export const handler=async()=>import("native")' }],
  [
    {
      'index.mjs': 'import{a}from"./part-1.mjs";',
      'part-1.mjs': 'const a=()=>import("./part-2.mjs");',
      'part-2.mjs': 'import"native";',
    },
  ],
])('a bundle like %j imports packages', (files) => {
  expect(importsOf(files)).toBe(true);
});

it.each([
  [{ 'index.mjs': 'import{join}from"node:path";import fs from"fs";import"file:///tmp/client.js";' }],
  [{ 'index.mjs': 'export const handler=()=>[`from"sharp"`,"import of native"];' }],
  [{ 'index.mjs': 'import"./part-1.mjs";', 'part-1.mjs': 'import"./index.mjs";import"./absent.mjs";' }],
])('a bundle like %j imports none', (files) => {
  expect(importsOf(files)).toBe(false);
});

it('a bundle that imports a package since its last change is read again', () => {
  expect(importsOf({ 'index.mjs': 'export const handler=1;' })).toBe(false);
  expect(importsOf({ 'index.mjs': 'export{default as handler}from"./part-1.mjs";import"native";' })).toBe(true);
});
