import { createWith, type GreedyRequest, repeated, sendText } from './greedy-request.ts'

const million = 1_000_000

/** Bodies that are large, deep, or many small things. */
export const greedyBodies: readonly GreedyRequest[] = [
  createWith('a list of twelve million items', () => `"dc:subjects":[${'"",'.repeat(12 * million)}""]`),
  createWith('a list of a million items', () => `"dc:subjects":[${repeated(million, (index) => `"${index}"`)}]`),
  createWith('a list of a hundred thousand items', () => `"dc:subjects":[${repeated(100_000, (index) => `"${index}"`)}]`),
  createWith('a list of a hundred thousand files', () => `"files:files":[${repeated(100_000, () => '{"file":null}')}]`),
  createWith(
    'four thousand files with their content',
    () => `"files:files":[${repeated(4_000, (index) => `{"file":{"data":"${index}","name":"x"}}`)}]`,
  ),
  createWith('a million unknown properties', () => repeated(million, (index) => `"dc:unknown${index}":1`)),
  createWith('a million unknown schemas', () => repeated(million, (index) => `"s${index}:field":1`)),
  createWith('a million wrong values', () => `"dc:subjects":[${repeated(million, () => '{}')}]`),
  createWith(
    'two hundred thousand unknown fields of a file',
    () => `"file:content":{${repeated(200_000, (index) => `"k${index}":1`)}}`,
  ),
  createWith('a text of forty million characters', () => `"dc:description":"${'x'.repeat(40 * million)}"`),
  createWith('a text of forty million letters that take two bytes', () => `"dc:description":"${'é'.repeat(20 * million)}"`),
  createWith('a number of ten million digits', () => `"dc:description":${'9'.repeat(10 * million)}`),
  createWith('a name of ten million characters', () => `"${'x'.repeat(10 * million)}":1`),
  createWith('a list in a list, a million deep', () => `"dc:subjects":${'['.repeat(million)}${']'.repeat(million)}`),
  createWith(
    'an object in an object, three hundred thousand deep',
    () => `"file:content":${'{"a":'.repeat(300_000)}1${'}'.repeat(300_000)}`,
  ),
  createWith('lists that never end', () => `"dc:subjects":${'['.repeat(10 * million)}`),
  createWith(
    'a note of a hundred thousand elements in each other',
    () => `"note:note":"${'<div>'.repeat(100_000)}","note:mime_type":"text/html"`,
    'Note',
  ),
  createWith(
    'a note of three million opened attributes',
    () => `"note:note":"<a ${'a=\\"'.repeat(million)}","note:mime_type":"text/html"`,
    'Note',
  ),
  createWith(
    'a note of two million unclosed brackets',
    () => `"note:note":"${'<'.repeat(2 * million)}","note:mime_type":"text/html"`,
    'Note',
  ),
  createWith(
    'a note of a million comments that do not end',
    () => `"note:note":"${'<!--'.repeat(million)}","note:mime_type":"text/html"`,
    'Note',
  ),
  sendText('a list of three million documents', 'POST', '/id/<home>', () => `[${repeated(3 * million, () => '{}')}]`),
  sendText(
    'a million rights',
    'POST',
    '/id/<home>/@op/Document.AddPermission',
    () => `{"params":{"permission":"Read","users":[${repeated(million, (index) => `"u${index}"`)}]}}`,
  ),
  sendText(
    'properties of three million lines',
    'POST',
    '/id/<home>/@op/Document.Update',
    () => `{"params":{"properties":"${'dc:title=x\\n'.repeat(3 * million)}"}}`,
  ),
  sendText(
    'a search saved with a million parameters',
    'POST',
    '/search/saved',
    () =>
      `{"entity-type":"savedSearch","title":"s","query":"SELECT * FROM File","params":{${repeated(million, (index) => `"p${index}":"1"`)}}}`,
  ),
  sendText(
    'a list that is one bracket and eighty thousand quoted quotes',
    'POST',
    '/automation/Document.FetchByProperty',
    () => `{"params":{"property":"dc:title","values":"[{\\"${'\\\\\\"'.repeat(80_000)}"}}`,
  ),
  {
    what: 'a form of a million fields',
    method: 'POST',
    path: '/automation/Repository.Query',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: () => repeated(million, (index) => `f${index}=1`, '&'),
  },
  {
    what: 'a form of a hundred thousand parts',
    method: 'POST',
    path: '/automation/Blob.CreateZip',
    headers: { 'content-type': 'multipart/related; boundary=b' },
    body: () =>
      `${repeated(100_000, (index) => `--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename="${index}"\r\n\r\nx`, '\r\n')}\r\n--b--\r\n`,
  },
]
